package dev.weir.gateway;

import io.vertx.core.http.HttpHeaders;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The value of Date (RFC 9110 section 6.6.1), written once a second. Thread safe. */
final class HttpDate {

    private record Written(long epochSecond, CharSequence text) {}

    private static volatile Written last = written(0);

    private HttpDate() {}

    static CharSequence at(long epochMillis) {
        long second = Math.floorDiv(epochMillis, 1_000);
        Written current = last;
        if (current.epochSecond != second) {
            current = written(second);
            last = current;
        }
        return current.text;
    }

    private static Written written(long epochSecond) {
        return new Written(
                epochSecond,
                HttpHeaders.createOptimized(DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        Instant.ofEpochSecond(epochSecond).atOffset(ZoneOffset.UTC))));
    }
}
