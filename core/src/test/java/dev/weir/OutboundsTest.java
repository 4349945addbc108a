package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.client.Outbound;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundReason;
import dev.weir.client.OutboundRefusal;
import dev.weir.client.OutboundSettings;
import dev.weir.client.PeerAdvice;
import dev.weir.client.PeerAnswer;
import dev.weir.client.Sending;
import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.GateSettings;
import dev.weir.load.PoolSettings;
import dev.weir.policy.GateRule;
import dev.weir.policy.Match;
import dev.weir.policy.Mode;
import dev.weir.policy.OutboundRule;
import dev.weir.policy.Policy;
import dev.weir.policy.StoreSettings;
import dev.weir.rate.RateLimit;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A policy's dependencies, and what calls in know of them. */
class OutboundsTest {

    private static final long SECOND = 1_000_000_000L;

    private final FakeTicker ticker = new FakeTicker(7);

    private Weir weir(Policy policy) {
        return Weir.builder(policy).tickers(ticker, ticker).instances(4).build();
    }

    private static OutboundSettings payments() {
        return OutboundSettings.of("payments").maxWait(Duration.ZERO);
    }

    private static Policy policy(OutboundSettings settings) {
        GateSettings gate =
                GateSettings.of("service", ConcurrencyLimit.fixed(10)).withPools(PoolSettings.of("all", 0));
        return Policy.builder()
                .outbound(new OutboundRule(settings, List.of("pay.example")))
                .gate(new GateRule(
                        gate,
                        Match.ANY,
                        List.of(new GateRule.Pool(Optional.empty(), List.of("payments"))),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        Mode.ENFORCE))
                .build();
    }

    @Test
    void aDependencyThatIsOutRefusesWhatNeedsIt() throws Exception {
        Weir weir = weir(policy(payments()));
        Outbound outbound = weir.outbound("payments");
        Sending sending = (Sending) outbound.ask(OutboundCall.ONCE);
        sending.answered(new PeerAnswer(PeerAnswer.Kind.REFUSED, PeerAdvice.pause(20 * SECOND)));

        Decision.Rejected rejected = (Decision.Rejected) weir.judge(TestCall.of("/"));
        assertThat(rejected.reason()).isEqualTo(Reason.DEPENDENCY_OUT);
        assertThat(rejected.retryAfterNanos().orElseThrow()).isBetween(20 * SECOND, 22 * SECOND);
        assertThat(weir.dependencies().out()).containsExactly("payments");

        ticker.advance(22 * SECOND);
        assertThat(weir.judge(TestCall.of("/"))).isInstanceOf(Decision.Admitted.class);
    }

    @Test
    void aDependencyThatTakesACallAgainIsBack() throws Exception {
        Weir weir = weir(policy(payments().maxPause(Duration.ofSeconds(20))));
        Outbound outbound = weir.outbound("payments");
        ((Sending) outbound.ask(OutboundCall.ONCE))
                .answered(new PeerAnswer(PeerAnswer.Kind.REFUSED, PeerAdvice.pause(Long.MAX_VALUE)));
        ticker.advance(22 * SECOND);
        Sending probe = (Sending) outbound.ask(OutboundCall.ONCE);
        weir.dependencies().out("payments", Duration.ofHours(1));
        probe.answered(PeerAnswer.ACCEPTED);
        assertThat(weir.dependencies().out()).isEmpty();
    }

    @Test
    void theFleetsRateIsShared() throws Exception {
        Weir weir = weir(
                policy(payments().pace(new OutboundSettings.Pace(RateLimit.parse("4/s"), OptionalInt.of(1), true))));
        Outbound outbound = weir.outbound("payments");
        ((Sending) outbound.ask(OutboundCall.ONCE)).answered(PeerAnswer.ACCEPTED);
        OutboundRefusal refusal = (OutboundRefusal) outbound.ask(OutboundCall.ONCE);
        assertThat(refusal.reason()).isEqualTo(OutboundReason.RATE);
        assertThat(refusal.retryAfterNanos()).hasValue(SECOND);
        weir.instances(1);
        assertThat(((OutboundRefusal) outbound.ask(OutboundCall.ONCE)).retryAfterNanos())
                .hasValue(SECOND / 4);
        assertThatThrownBy(() -> weir.instances(0)).hasMessageContaining("this one is there");
    }

    @Test
    void theStoreSaysHowManyInstancesAreAssumed() throws Exception {
        StoreSettings.Redis redis = new StoreSettings.Redis(
                List.of(new StoreSettings.Node("a", 6379)),
                false,
                Optional.empty(),
                Optional.empty(),
                0,
                Optional.empty());
        Policy shared = Policy.builder()
                .store(new StoreSettings(redis, StoreSettings.DEFAULT_TIMEOUT, true, 20))
                .outbound(OutboundRule.of(
                        payments().pace(new OutboundSettings.Pace(RateLimit.parse("200/s"), OptionalInt.of(1), true))))
                .build();
        Outbound outbound = Weir.builder(shared).tickers(ticker, ticker).build().outbound("payments");
        ((Sending) outbound.ask(OutboundCall.ONCE)).answered(PeerAnswer.ACCEPTED);
        assertThat(((OutboundRefusal) outbound.ask(OutboundCall.ONCE)).retryAfterNanos())
                .hasValue(SECOND / 10);
    }

    @Test
    void aReloadKeepsADependencyByItsName() throws Exception {
        Weir weir = weir(policy(payments().inFlight(ConcurrencyLimit.fixed(1))));
        Outbound outbound = weir.outbound("payments");
        Sending underWay = (Sending) outbound.ask(OutboundCall.ONCE);
        weir.reload(policy(payments().inFlight(ConcurrencyLimit.fixed(1)).throttle(2)));
        assertThat(weir.outbound("payments")).isSameAs(outbound);
        assertThat(outbound.settings().throttleK()).hasValue(2);
        assertThat(((OutboundRefusal) outbound.ask(OutboundCall.ONCE)).reason()).isEqualTo(OutboundReason.IN_FLIGHT);
        underWay.answered(PeerAnswer.ACCEPTED);
        assertThat(outbound.ask(OutboundCall.ONCE)).isInstanceOf(Sending.class);

        weir.reload(Policy.builder().build());
        assertThatThrownBy(() -> weir.outbound("payments")).hasMessageContaining("no dependency 'payments'");
    }

    @Test
    void aDependencyIsFoundByItsHost() {
        Weir weir = weir(policy(payments()));
        assertThat(weir.outboundTo(URI.create("https://PAY.example/charge"))).contains(weir.outbound("payments"));
        assertThat(weir.outboundTo(URI.create("https://other.example/"))).isEmpty();
        assertThat(weir.outboundTo(URI.create("mailto:a@pay.example"))).isEmpty();
        assertThat(weir.outbounds()).containsExactly(weir.outbound("payments"));
    }
}
