package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rate.Algorithm;
import dev.weir.rate.CalendarPeriod;
import dev.weir.rate.RateLimit;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChangesTest {

    private static final Limit BUCKET = rate("api", "10/s");

    @Test
    void numbersPlansOverridesModeAndConditionsKeepTheCounts() {
        Limit after = rate("api", "500/m")
                .match(Match.path("/api/**"))
                .plans(Map.of("pro", new Budget.Unlimited()))
                .mode(Mode.SHADOW)
                .maxKeys(5);

        assertThat(between(BUCKET, after)).isEqualTo(kept("api"));
    }

    @Test
    void anotherKeyStartsFresh() {
        assertThat(between(BUCKET, Limit.of("api", Key.CLIENT_IP, BUCKET.budget())))
                .isEqualTo(reset("api"));
        Limit pair = Limit.of("api", new Key.Composite(List.of(Key.CLIENT_IP, new Key.Route())), BUCKET.budget());
        Limit turned = Limit.of("api", new Key.Composite(List.of(new Key.Route(), Key.CLIENT_IP)), BUCKET.budget());
        assertThat(between(pair, turned)).isEqualTo(reset("api"));
    }

    @Test
    void anotherScopeStartsFreshAndAnotherChoiceWhileTheStoreIsAwayDoesNot() {
        Limit fleet = BUCKET.scope(Scope.FLEET);
        assertThat(between(BUCKET, fleet)).isEqualTo(reset("api"));
        assertThat(between(fleet, fleet.onStoreFailure(StoreFailure.LOCAL))).isEqualTo(kept("api"));
    }

    @Test
    void anotherAlgorithmOrKindStartsFresh() {
        assertThat(between(BUCKET, rate("api", "10/s", Algorithm.LEAKY_QUEUE))).isEqualTo(reset("api"));
        assertThat(between(BUCKET, Limit.of("api", Key.ALL, new Budget.InFlight(3))))
                .isEqualTo(reset("api"));
        assertThat(between(
                        Limit.of("api", Key.ALL, new Budget.InFlight(3)),
                        Limit.of("api", Key.ALL, new Budget.InFlight(9))))
                .isEqualTo(kept("api"));
    }

    @Test
    void aWindowOfAnotherLengthStartsFreshAndOneOfAnotherCountDoesNot() {
        for (Algorithm window : List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW, Algorithm.SLIDING_LOG)) {
            Limit minute = rate("api", "10/m", window);
            assertThat(between(minute, rate("api", "20/60s", window)))
                    .as(window.policyName())
                    .isEqualTo(kept("api"));
            assertThat(between(minute, rate("api", "10/h", window)))
                    .as(window.policyName())
                    .isEqualTo(reset("api"));
        }
    }

    @Test
    void aQuotaOfAnotherCalendarOrZoneStartsFresh() {
        Limit day = quota(10, CalendarPeriod.DAY, ZoneOffset.UTC);
        assertThat(between(day, quota(99, CalendarPeriod.DAY, ZoneOffset.UTC))).isEqualTo(kept("api"));
        assertThat(between(day, quota(10, CalendarPeriod.WEEK, ZoneOffset.UTC))).isEqualTo(reset("api"));
        assertThat(between(day, quota(10, CalendarPeriod.DAY, ZoneId.of("Asia/Tokyo"))))
                .isEqualTo(reset("api"));
    }

    @Test
    void aRenamedLimitIsOneGoneAndOneNew() {
        assertThat(between(BUCKET, rate("calls", "10/s")))
                .isEqualTo(new Changes(List.of(), List.of(), List.of("calls"), List.of("api"), List.of()));
    }

    @Test
    void orderIsThatOfTheNewPolicyAndMovingALimitKeepsIt() {
        Policy before = policy(rate("a", "1/s"), rate("b", "1/s"), rate("c", "1/s"), rate("d", "1/s"));
        Policy after = policy(rate("d", "1/s"), rate("x", "1/s"), rate("b", "2/s"));
        assertThat(Changes.between(before, after))
                .isEqualTo(new Changes(List.of("d", "b"), List.of(), List.of("x"), List.of("a", "c"), List.of()));
    }

    private static Changes between(Limit before, Limit after) {
        return Changes.between(policy(before), policy(after));
    }

    private static Policy policy(Limit... limits) {
        Policy.Builder builder = Policy.builder();
        for (Limit limit : limits) {
            builder.limit(limit);
        }
        return builder.build();
    }

    private static Limit rate(String name, String rate) {
        return rate(name, rate, Algorithm.TOKEN_BUCKET);
    }

    private static Limit rate(String name, String rate, Algorithm algorithm) {
        return Limit.of(name, Key.ALL, new Budget.Rate(RateLimit.parse(rate).algorithm(algorithm)));
    }

    private static Limit quota(long count, CalendarPeriod period, ZoneId zone) {
        return Limit.of("api", Key.ALL, new Budget.Rate(RateLimit.quota(count, period, zone)));
    }

    private static Changes kept(String name) {
        return new Changes(List.of(name), List.of(), List.of(), List.of(), List.of());
    }

    private static Changes reset(String name) {
        return new Changes(List.of(), List.of(name), List.of(), List.of(), List.of());
    }
}
