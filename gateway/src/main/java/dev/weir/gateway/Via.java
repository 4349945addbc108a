package dev.weir.gateway;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpVersion;

/** This hop's entry in Via (RFC 9110 section 7.6.3), and what too many of them say. */
final class Via {

    private static final String ENTRY_1_1 = "1.1 weir";
    private static final String ENTRY_1_0 = "1.0 weir";
    private static final String ENTRY_2 = "2 weir";

    /** No call has good reason to pass so many of us. */
    private static final int MAX_HOPS = 10;

    private Via() {}

    /** The entry for a message that came in this version. */
    static String entry(HttpVersion version) {
        return switch (version) {
            case HTTP_1_0 -> ENTRY_1_0;
            case HTTP_2 -> ENTRY_2;
            default -> ENTRY_1_1;
        };
    }

    /** Whether a request goes round in a circle. */
    static boolean isLoop(MultiMap fields) {
        int hops = 0;
        for (String line : fields.getAll(FieldNames.VIA)) {
            for (String entry : line.split(",", -1)) {
                hops += entry.strip().endsWith(" weir") ? 1 : 0;
            }
        }
        return hops >= MAX_HOPS;
    }
}
