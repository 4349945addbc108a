package dev.weir;

import static dev.weir.Scene.forAll;
import static dev.weir.Scene.perKey;
import static dev.weir.Scene.rate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Key;
import dev.weir.policy.Limit;
import dev.weir.rate.Algorithm;
import dev.weir.rate.KeyHash;
import dev.weir.rate.KeyedRateLimiter;
import dev.weir.rate.RateLimit;
import org.junit.jupiter.api.Test;

/** More keys than anybody has callers: memory keeps to its cap, and being one of many, or forgotten, helps nobody. */
class FloodTest {

    private static final int CAP = 10_000;
    private static final int KEYS = Boolean.getBoolean("weir.deep") ? 1_000_000 : 60_000;

    @Test
    void neverMoreKeysThanTheCapAndNobodyGainsByBeingForgotten() {
        for (Algorithm algorithm : new Algorithm[] {
            Algorithm.TOKEN_BUCKET, Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW, Algorithm.SLIDING_LOG
        }) {
            long[] now = {1_000_000_000_000L};
            KeyedRateLimiter<CharSequence> limiter =
                    KeyedRateLimiter.of(RateLimit.parse("2/d").algorithm(algorithm), CAP, KeyHash.text(), () -> now[0]);
            assertThat(limiter.charge("busy", 2)).isZero();
            for (int n = 0; n < KEYS; n++) {
                now[0] += 1_000;
                limiter.tryAcquire("visitor " + n);
                if (n % 100 == 0) {
                    assertThat(limiter.keys()).isLessThanOrEqualTo(CAP);
                    assertThat(limiter.tryAcquire("busy"))
                            .as("%s after %d", algorithm, n)
                            .isFalse();
                }
            }
            for (int n = 0; n < KEYS; n += 500) {
                assertThat(limiter.charge("visitor " + n, 2))
                        .as("visitor %d came before", n)
                        .isPositive();
            }
        }
    }

    /** By made-up headers and by the networks of IPv6. A caller that is over its limit stays over it in between. */
    @Test
    void whoeverFloodsALimitHelpsNobodyOverIt() {
        Limit byHeader = perKey("header", rate("1/d")).maxKeys(CAP);
        Limit byAddress = Limit.of("address", Key.CLIENT_IP, rate("1/d")).maxKeys(CAP);
        for (Limit limit : new Limit[] {byHeader, byAddress}) {
            Scene scene = new Scene(limit, forAll("all", rate("2000000000/s")));
            TestCall busy = TestCall.by("busy").peer("2001:db8::1");
            assertThat(scene.passes(busy)).isTrue();
            for (int n = 1; n <= KEYS; n++) {
                scene.passes(TestCall.by("made up " + n)
                        .peer("2001:db8:" + Integer.toHexString(n >> 16) + ":" + Integer.toHexString(n & 0xffff)
                                + "::1"));
                if (n % 1_000 == 0) {
                    assertThat(scene.passes(busy))
                            .as("%s after %d", limit.name(), n)
                            .isFalse();
                }
            }
        }
    }
}
