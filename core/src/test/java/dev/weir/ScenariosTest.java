package dev.weir;

import static dev.weir.Scene.fixed;
import static dev.weir.Scene.forAll;
import static dev.weir.Scene.perKey;
import static dev.weir.Scene.rate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.load.Outcome;
import dev.weir.policy.Budget;
import dev.weir.policy.Cost;
import dev.weir.policy.Key;
import dev.weir.policy.Limit;
import dev.weir.policy.Match;
import dev.weir.policy.Missing;
import dev.weir.rate.Algorithm;
import dev.weir.rate.CalendarPeriod;
import dev.weir.rate.RateLimit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits as they are told to people, with the numbers that follow from them. */
class ScenariosTest {

    private static final TestCall A = TestCall.by("a");

    private static Budget bucket(String rate, long burst) {
        return new Budget.Rate(RateLimit.parse(rate).burst(burst));
    }

    private static Budget log(String rate) {
        return new Budget.Rate(RateLimit.parse(rate).algorithm(Algorithm.SLIDING_LOG));
    }

    /** An office hands out a slip every twelve seconds, from a stack of twenty. */
    @Test
    void anOfficesSlips() {
        Scene scene = new Scene(forAll("slips", bucket("5/m", 20)));
        assertThat(scene.passing(A, 25)).isEqualTo(20);
        assertThat(scene.rejected(A).retryAfterNanos()).hasValue(12_000_000_000L);
        scene.advance(Duration.ofMillis(11_999));
        assertThat(scene.rejected(A).retryAfterNanos()).hasValue(1_000_000L);
        scene.advance(Duration.ofMillis(1));
        assertThat(scene.passing(A, 2)).isEqualTo(1);
        scene.advance(Duration.ofSeconds(12));
        assertThat(scene.passing(A, 2)).isEqualTo(1);
    }

    /** Within an hour no more than the stack and what is added to it. */
    @Test
    void anOfficesBusiestHour() {
        Scene scene = new Scene(forAll("slips", bucket("5/m", 20)));
        int served = 0;
        for (int second = 0; second <= 3_600; second++) {
            served += scene.passing(A, 2);
            scene.advance(Duration.ofSeconds(1));
        }
        assertThat(served).isEqualTo(20 + 300);
    }

    /** Forty chairs: the next one enters when somebody leaves. */
    @Test
    void anOfficesChairs() {
        Scene scene = new Scene(forAll("chairs", new Budget.InFlight(40)));
        List<Permit> inside = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            inside.add(scene.admitted(A).permit());
        }
        assertThat(scene.rejected(A).reason()).isEqualTo(Reason.IN_FLIGHT_LIMIT);
        inside.get(17).release(Outcome.SUCCESS);
        assertThat(scene.passing(A, 2)).isEqualTo(1);
    }

    /** Two appointments a day for each applicant, a day being the office's. */
    @Test
    void anOfficesAppointments() {
        ZoneId vienna = ZoneId.of("Europe/Vienna");
        Limit appointments = perKey("appointments", new Budget.Rate(RateLimit.quota(2, CalendarPeriod.DAY, vienna)));
        Scene scene = new Scene(appointments).at(Instant.parse("2026-07-01T21:30:00Z"));
        assertThat(scene.passing(A, 3)).isEqualTo(2);
        assertThat(scene.rejected(A).retryAfterNanos())
                .as("midnight there is half an hour away")
                .hasValue(Duration.ofMinutes(30).toNanos());
        assertThat(scene.passes(TestCall.by("another applicant"))).isTrue();
        scene.advance(Duration.ofMinutes(30));
        assertThat(scene.passing(A, 3)).isEqualTo(2);
    }

    /** Five codes to a phone in any quarter of an hour, and twenty logins a minute from one address. */
    @Test
    void codesAndLogins() {
        Limit codes = perKey("codes", log("5/15m")).match(Match.path("/code"));
        Limit logins = Limit.of("logins", Key.CLIENT_IP, fixed("20/m")).match(Match.path("/login"));
        Scene scene = new Scene(codes, logins);
        TestCall code = TestCall.of("/code").header("X-Api-Key", "+43 1 0000");
        for (int minute = 0; minute < 5; minute++) {
            assertThat(scene.passes(code)).isTrue();
            scene.advance(Duration.ofMinutes(1));
        }
        assertThat(scene.rejected(code).retryAfterNanos())
                .as("until the first is a quarter of an hour old")
                .hasValue(Duration.ofMinutes(10).toNanos());
        scene.advance(Duration.ofMinutes(10).minusNanos(1));
        assertThat(scene.passes(code)).isFalse();
        scene.advanceNanos(1);
        assertThat(scene.passing(code, 2)).isEqualTo(1);
        assertThat(scene.passing(TestCall.of("/login").peer("198.51.100.4"), 25))
                .isEqualTo(20);
        assertThat(scene.passing(TestCall.of("/login").peer("198.51.100.5"), 25))
                .isEqualTo(20);
    }

    /** A rate and a burst: how many pass at once, and how many in the first second if calls come all the time. */
    @ParameterizedTest
    @CsvSource({
        "10000/s, 5000, 5000, 15000",
        "50/s, 100, 100, 150",
        "300/s, 300, 300, 600",
        "200/s, 200, 200, 400",
        "100/s, 100, 100, 200",
        "1000/m, 1000, 1000, 1016",
        "60/h, 60, 60, 60",
        "5000/h, 5000, 5000, 5001",
        "1000000/m, 1000000, 1000000, 1016666",
    })
    void aRateAndItsFirstSecond(String rate, long burst, long atOnce, long inASecond) {
        Limit limit = perKey("api", bucket(rate, burst));
        Scene scene = new Scene(limit);
        assertThat(scene.left("api", A)).isEqualTo(atOnce);
        long taken = 0;
        for (int millis = 0; millis <= 1_000; millis++) {
            long left = scene.left("api", A);
            if (left > 0) {
                take(scene, limit, left);
                taken += left;
            }
            scene.advance(Duration.ofMillis(millis < 1_000 ? 1 : 0));
        }
        assertThat(taken).isEqualTo(inASecond);
    }

    /** One call of that cost: the budget, the key and so the counter stay. */
    private static void take(Scene scene, Limit limit, long cost) {
        scene.weir.reload(Scene.policy(limit.cost(new Cost.Fixed(cost))));
        assertThat(scene.passes(A)).isTrue();
        scene.weir.reload(Scene.policy(limit));
    }

    /** Sixty an hour for anybody, five thousand for who signs in. */
    @Test
    void strangersAndUsers() {
        Limit users = perKey("users", fixed("5000/h")).ifMissing(new Missing.Skip());
        Limit strangers = Limit.of("strangers", Key.CLIENT_IP, fixed("60/h"))
                .except(List.of(new Match(
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of("X-Api-Key", List.of("*")),
                        Map.of(),
                        List.of(),
                        List.of(),
                        Map.of())));
        Scene scene = new Scene(users, strangers);
        assertThat(scene.passing(TestCall.of("/"), 100)).isEqualTo(60);
        assertThat(scene.passing(A, 5_100)).isEqualTo(5_000);
    }

    /** Calls a minute and tokens a minute together: whichever is used up first refuses. */
    @Test
    void callsAndTokens() {
        Limit calls = perKey("calls", fixed("500/m"));
        Limit tokens = perKey("tokens", fixed("1000000/m"))
                .cost(new Cost.Estimated(4_000, new Cost.SettleBy.ResponseHeader("X-Tokens")));
        Scene scene = new Scene(calls, tokens);
        assertThat(scene.passing(A, 600)).isEqualTo(250);
        assertThat(scene.rejected(A).speaker()).contains("tokens");
        Scene cheap = new Scene(calls, tokens);
        int passed = 0;
        while (cheap.weir.judge(A) instanceof Decision.Admitted in) {
            in.permit().settle("tokens", 100);
            passed++;
        }
        assertThat(passed).isEqualTo(500);
        assertThat(cheap.rejected(A).speaker()).contains("calls");
    }

    /** Twenty in progress for each user, a hundred for the next kind of them. */
    @Test
    void inProgress() {
        for (int calls : new int[] {20, 100}) {
            Scene scene = new Scene(perKey("in-progress", new Budget.InFlight(calls)));
            assertThat(scene.passing(A, 150)).isEqualTo(calls);
            assertThat(scene.passes(TestCall.by("b"))).isTrue();
        }
    }

    /** Fifty a second, and a million a month: the month's end refuses who is well within the second. */
    @Test
    void aSecondAndAMonth() {
        Limit month = perKey("month", new Budget.Rate(RateLimit.quota(1_000_000, CalendarPeriod.MONTH, ZoneOffset.UTC)))
                .cost(new Cost.Fixed(250_000));
        Scene scene = new Scene(perKey("second", rate("50/s")), month).at(Instant.parse("2026-03-18T00:00:00Z"));
        assertThat(scene.passing(A, 9)).isEqualTo(4);
        assertThat(scene.rejected(A).retryAfterNanos())
                .as("fourteen days to go")
                .hasValue(Duration.ofDays(14).toNanos());
    }
}
