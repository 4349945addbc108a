package dev.weir.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.client.Backoff;
import dev.weir.client.OutboundSettings;
import dev.weir.client.OutboundSettings.Pace;
import dev.weir.client.OutboundSettings.Retry;
import dev.weir.load.ConcurrencyLimit;
import dev.weir.policy.OutboundRule;
import dev.weir.rate.RateLimit;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What each field of a dependency means in the model. */
class OutboundsTest {

    private static OutboundRule rule(String fields) {
        return Reads.policy("weir: 1\nstore: { redis: { url: redis://a } }\noutbound: { pay: { " + fields + " } }")
                .outbounds()
                .get(0);
    }

    private static OutboundSettings settings(String fields) {
        return rule(fields).settings();
    }

    private static OutboundSettings pay() {
        return OutboundSettings.of("pay");
    }

    @Test
    void whatIsNotSaidIsAsTheModelSays() {
        assertThat(rule("timeout: 1s")).isEqualTo(OutboundRule.of(pay().timeout(Duration.ofSeconds(1))));
        assertThat(settings("rate: 20/s")).isEqualTo(pay().rate(RateLimit.parse("20/s")));
        assertThat(settings("rate: 20/s").maxWaitNanos(1)).isEqualTo(50_000_001);
        assertThat(settings("rate: 5/s").maxWaitNanos(1)).isEqualTo(200_000_001);
        assertThat(settings("rate: 5/h").maxWaitNanos(1)).isEqualTo(1_000_000_000);
    }

    @Test
    void theWorkedExample() {
        OutboundSettings settings = settings(
                "rate: 200/s, scope: fleet, burst: 2, max-wait: 50ms, in-flight: 8, retry: { budget: 10%, tries: 4, backoff: 100ms..5s }");
        assertThat(settings)
                .isEqualTo(pay().pace(new Pace(RateLimit.parse("200/s"), OptionalInt.of(2), true))
                        .maxWait(Duration.ofMillis(50))
                        .inFlight(ConcurrencyLimit.fixed(8))
                        .retry(new Retry(4, OptionalInt.of(1_000), Backoff.DEFAULT, Set.of()))
                        .sharedPause(true));
        assertThat(settings.pace().orElseThrow().of(20))
                .isEqualTo(RateLimit.of(200, Duration.ofSeconds(20)).burst(2));
    }

    @Test
    void aPauseIsSharedWhereTheRateIsAndWhereTheFileSaysSo() {
        assertThat(settings("rate: 1/s, scope: fleet").sharedPause()).isTrue();
        assertThat(settings("rate: 1/s, scope: fleet, share-pause: no").sharedPause())
                .isFalse();
        assertThat(settings("rate: 1/s").sharedPause()).isFalse();
        assertThat(settings("share-pause: yes").sharedPause()).isTrue();
    }

    @Test
    void smoothPacingIsABurstOfOne() {
        assertThat(settings("rate: 200/s, pacing: smooth")).isEqualTo(settings("rate: 200/s, burst: 1"));
        assertThat(settings("rate: 200/s, pacing: bucket")).isEqualTo(settings("rate: 200/s"));
    }

    @Test
    void retries() {
        assertThat(settings("retry: { budget: 10% }"))
                .isEqualTo(pay().retry(new Retry(3, OptionalInt.of(1_000), Backoff.DEFAULT, Set.of())));
        assertThat(settings("retry: { tries: 2, backoff: 10ms..1m, methods: [POST, PATCH] }"))
                .isEqualTo(pay().retry(new Retry(
                        2,
                        OptionalInt.empty(),
                        Backoff.of(Duration.ofMillis(10), Duration.ofMinutes(1)),
                        Set.of("POST", "PATCH"))));
    }

    @Test
    void theRest() {
        assertThat(
                        settings(
                                "in-flight: aimd, queue: 7, throttle: { k: 1.5 }, hedge: 80ms, retry: { tries: 2 }, max-pause: 10m, retry-after-ms: yes"))
                .isEqualTo(pay().inFlight(ConcurrencyLimit.aimd(20, 4, 500))
                        .queue(7)
                        .throttle(1.5)
                        .hedge(Duration.ofMillis(80))
                        .retry(new Retry(2, OptionalInt.empty(), Backoff.DEFAULT, Set.of()))
                        .maxPause(Duration.ofMinutes(10))
                        .milliseconds(true));
    }

    @Test
    void aDependencyHasItsHosts() {
        OutboundRule rule = rule("hosts: [api.pay.example, \"*.Pay.test\"]");
        assertThat(rule.hosts()).isEqualTo(List.of("api.pay.example", "*.Pay.test"));
        assertThat(rule.has("API.pay.example")).isTrue();
        assertThat(rule.has("eu.pay.test")).isTrue();
        assertThat(rule.has("pay.test")).isFalse();
        assertThat(rule("rate: 1/s").has("api.pay.example")).isFalse();
    }
}
