package dev.weir.redis;

import dev.weir.rate.RateLimit;
import java.util.concurrent.ConcurrentHashMap;

/** The codes of the limits in use, made once each. Bounded: a policy has few limits, and a program that makes up many pays for it. */
final class Codes {

    private static final int MOST = 4_096;

    private final ConcurrentHashMap<RateLimit, LineCode> codes = new ConcurrentHashMap<>();

    LineCode of(RateLimit limit) {
        LineCode code = codes.get(limit);
        if (code == null) {
            if (codes.size() >= MOST) {
                codes.clear();
            }
            code = LineCode.of(limit);
            codes.put(limit, code);
        }
        return code;
    }
}
