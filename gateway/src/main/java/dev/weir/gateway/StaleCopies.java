package dev.weir.gateway;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers of a moment ago, for calls that are served {@code stale}. Bounded in number, in bytes and in age; the least recently used leave.
 *
 * <p>Kept is what a shared cache may keep and RFC 9111 section 4.2.4 lets it serve stale: 200 to a GET without Authorization, Cookie or Range,
 * which says {@code public}, {@code max-age} or {@code s-maxage}, does not forbid it, sets no cookie, and varies by nothing but what
 * distinguishes copies here: Accept, Accept-Encoding, Accept-Language, and the headers by which the policy tells callers apart. Thread safe.
 */
final class StaleCopies {

    static final int MAX_BODY_BYTES = 262_144;
    static final long MAX_AGE_NANOS = 300_000_000_000L;
    private static final int MAX_COPIES = 10_000;
    private static final long MAX_BYTES = 33_554_432;
    private static final List<String> VARIANTS = List.of("accept", "accept-encoding", "accept-language");

    /** One answer. */
    record Copy(MultiMap fields, Buffer body, long keptNanos, long ageSeconds) {

        /** How old it is, for the Age field. */
        long ageSeconds(long nowNanos) {
            return ageSeconds + (nowNanos - keptNanos) / 1_000_000_000L;
        }
    }

    private final LinkedHashMap<String, Copy> copies = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** Under what an answer to this request is kept; empty when none may be. */
    static Optional<String> key(HttpServerRequest request, @Nullable String host, Set<String> callerHeaders) {
        MultiMap fields = request.headers();
        boolean personal = fields.contains("authorization") || fields.contains("cookie") || fields.contains("range");
        String method = request.method().name();
        if (personal || !(method.equals("GET") || method.equals("HEAD"))) {
            return Optional.empty();
        }
        StringBuilder key = new StringBuilder().append(host).append('\n').append(request.uri());
        VARIANTS.forEach(name -> key.append('\n').append(fields.get(name)));
        callerHeaders.forEach(name -> key.append('\n').append(fields.getAll(name)));
        return Optional.of(key.toString());
    }

    /** Whether an answer with these fields may be kept. */
    static boolean mayKeep(int status, MultiMap fields, Set<String> callerHeaders) {
        if (status != 200 || fields.contains("set-cookie")) {
            return false;
        }
        String control = String.join(",", fields.getAll("cache-control")).toLowerCase(Locale.ROOT);
        boolean shared = control.contains("public") || control.contains("max-age") || control.contains("s-maxage");
        boolean forbidden = control.contains("private")
                || control.contains("no-store")
                || control.contains("no-cache")
                || control.contains("must-revalidate")
                || control.contains("proxy-revalidate");
        return shared && !forbidden && variesByKnown(fields, callerHeaders);
    }

    private static boolean variesByKnown(MultiMap fields, Set<String> callerHeaders) {
        for (String line : fields.getAll("vary")) {
            for (String name : line.split(",", -1)) {
                String known = name.strip().toLowerCase(Locale.ROOT);
                if (!known.isEmpty() && !VARIANTS.contains(known) && !callerHeaders.contains(known)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Keeps an answer, and lets go what there is no room for any more. */
    synchronized void keep(String key, Copy copy) {
        Copy before = copies.put(key, copy);
        bytes += size(key, copy) - (before == null ? 0 : size(key, before));
        var oldest = copies.entrySet().iterator();
        while (copies.size() > MAX_COPIES || bytes > MAX_BYTES) {
            Map.Entry<String, Copy> leaving = oldest.next();
            bytes -= size(leaving.getKey(), leaving.getValue());
            oldest.remove();
        }
    }

    private static long size(String key, Copy copy) {
        return 512L + 2L * key.length() + copy.body().length();
    }

    /** The answer that is kept, unless it is too old by now. */
    synchronized Optional<Copy> find(String key, long nowNanos) {
        return Optional.ofNullable(copies.get(key)).filter(copy -> nowNanos - copy.keptNanos() <= MAX_AGE_NANOS);
    }
}
