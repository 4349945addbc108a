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
import dev.weir.rate.MemoryStore;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateStore;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
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

    private Weir instance(MemoryStore store, String name, OutboundSettings settings) {
        return Weir.builder(policy(settings))
                .tickers(ticker, ticker)
                .store(store.instance(name))
                .build();
    }

    private static void refuse(Outbound outbound, long pauseNanos) throws InterruptedException {
        ((Sending) outbound.ask(OutboundCall.ONCE))
                .answered(new PeerAnswer(PeerAnswer.Kind.REFUSED, PeerAdvice.pause(pauseNanos)));
    }

    @Test
    void aPauseThatOneInstanceIsAskedForIsKeptByAll() throws Exception {
        MemoryStore store = new MemoryStore(ticker);
        Weir one = instance(store, "one", payments().sharedPause(true));
        Weir other = instance(store, "other", payments().sharedPause(true));
        refuse(one.outbound("payments"), 20 * SECOND);

        OutboundRefusal refusal = (OutboundRefusal) other.outbound("payments").ask(OutboundCall.ONCE);
        assertThat(refusal.reason()).isEqualTo(OutboundReason.PAUSED);
        assertThat(refusal.retryAfterNanos().orElseThrow()).isBetween(20 * SECOND, 22 * SECOND);
        assertThat(other.dependencies().out()).containsExactly("payments");

        ticker.advance(15 * SECOND);
        Weir late = instance(store, "late", payments().sharedPause(true));
        assertThat(late.outbound("payments").figures().pausedNanos())
                .as("what is left of it, and a little longer")
                .isBetween(5 * SECOND, 6 * SECOND);

        Weir reloaded = instance(store, "reloaded", payments());
        assertThat(reloaded.outbound("payments").figures().pausedNanos()).isZero();
        reloaded.reload(policy(payments().sharedPause(true)));
        assertThat(reloaded.outbound("payments").figures().pausedNanos()).isBetween(5 * SECOND, 6 * SECOND);

        ticker.advance(7 * SECOND);
        assertThat(other.outbound("payments").ask(OutboundCall.ONCE)).isInstanceOf(Sending.class);
        assertThat(instance(store, "last", payments().sharedPause(true))
                        .outbound("payments")
                        .figures()
                        .pausedNanos())
                .isZero();
    }

    @Test
    void aPauseIsOneInstancesUnlessTheSettingsShareIt() throws Exception {
        MemoryStore store = new MemoryStore(ticker);
        Weir one = instance(store, "one", payments());
        Weir sharing = instance(store, "sharing", payments().sharedPause(true));
        refuse(one.outbound("payments"), 20 * SECOND);
        assertThat(sharing.outbound("payments").figures().pausedNanos()).isZero();
        refuse(sharing.outbound("payments"), 30 * SECOND);
        assertThat(one.outbound("payments").figures().pausedNanos()).isLessThanOrEqualTo(22 * SECOND);
    }

    @Test
    void manyRefusalsAreOneNews() throws Exception {
        MemoryStore store = new MemoryStore(ticker);
        Weir one = instance(store, "one", payments().sharedPause(true));
        RateStore watching = store.instance("watching");
        List<Sending> sendings = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sendings.add((Sending) one.outbound("payments").ask(OutboundCall.ONCE));
        }
        for (Sending sending : sendings) {
            sending.answered(new PeerAnswer(PeerAnswer.Kind.REFUSED, PeerAdvice.pause(20 * SECOND)));
            ticker.advance(SECOND / 1_000);
        }
        assertThat(watching.settings().snapshot().version()).isEqualTo(1);
    }

    @Test
    void aPauseOfOthersIsNoLongerThanTheLongest() {
        Outbound outbound =
                weir(policy(payments().maxPause(Duration.ofSeconds(20)))).outbound("payments");
        outbound.pause(Duration.ofDays(100_000));
        assertThat(outbound.figures().pausedNanos()).isBetween(20 * SECOND, 22 * SECOND);
        outbound.pause(Duration.ofSeconds(-1));
        outbound.pause(Duration.ZERO);
        assertThat(outbound.figures().pausedNanos()).isBetween(20 * SECOND, 22 * SECOND);
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
