package dev.weir.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.Criticality;
import dev.weir.load.DegradeStep;
import dev.weir.load.GateSettings;
import dev.weir.load.PoolSettings;
import dev.weir.load.QueueSettings;
import dev.weir.load.Shedding;
import dev.weir.load.SignalThreshold;
import dev.weir.policy.GateRule;
import dev.weir.policy.Key;
import dev.weir.policy.Match;
import dev.weir.policy.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What each field of a gate means in the model. */
class GatesTest {

    private static GateRule gate(String fields) {
        return Reads.policy("weir: 1\nload: { a: { " + fields + " } }").gates().get(0);
    }

    private static ConcurrencyLimit concurrency(String value) {
        return gate("concurrency: " + value).settings().concurrency();
    }

    @Test
    void aGateIsByDefaultWhatTheModelSays() {
        assertThat(gate("concurrency: 5")).isEqualTo(GateRule.of(GateSettings.of("a", ConcurrencyLimit.fixed(5))));
    }

    @Test
    void aLimitIsANumberOrAWayOfFindingOne() {
        assertThat(concurrency("\"${COUNT}\"")).isEqualTo(ConcurrencyLimit.fixed(25));
        assertThat(concurrency("gradient")).isEqualTo(ConcurrencyLimit.gradient(20, 4, 500));
        assertThat(concurrency("aimd")).isEqualTo(ConcurrencyLimit.aimd(20, 4, 500));
        assertThat(concurrency("target-latency"))
                .isEqualTo(ConcurrencyLimit.targetLatency(Duration.ofMillis(100), 20, 4, 500));
        assertThat(concurrency("{ gradient: { initial: 64, min: 8, max: 100 } }"))
                .isEqualTo(ConcurrencyLimit.gradient(64, 8, 100));
        assertThat(concurrency("{ target-latency: { target: 20ms, max: 50 } }"))
                .isEqualTo(ConcurrencyLimit.targetLatency(Duration.ofMillis(20), 20, 4, 50));
    }

    @Test
    void whereALimitStartsFollowsTheFloorAndTheCeilingWhenItIsNotSaid() {
        assertThat(concurrency("{ aimd: { max: 10 } }")).isEqualTo(ConcurrencyLimit.aimd(10, 4, 10));
        assertThat(concurrency("{ aimd: { min: 30 } }")).isEqualTo(ConcurrencyLimit.aimd(30, 30, 500));
    }

    @Test
    void poolsHaveTheirCallsInFileOrderAndOneTakesTheRest() {
        GateRule gate = gate(
                "concurrency: 5, pools: { x: { match: { path: /x }, guarantee: 12.5%, needs: db }, y: { guarantee: 30%, borrow: no } }");
        assertThat(gate.settings().pools())
                .containsExactly(PoolSettings.of("x", 0.125), new PoolSettings("y", 0.3, false));
        assertThat(gate.pools())
                .containsExactly(
                        new GateRule.Pool(Optional.of(path("/x")), List.of("db")),
                        new GateRule.Pool(Optional.empty(), List.of()));
    }

    @Test
    void whenNoPoolTakesTheRestOneIsMadeForIt() {
        assertThat(gate("concurrency: 5, pools: { x: { match: { path: /x }, guarantee: 100% } }")
                        .settings()
                        .pools())
                .containsExactly(PoolSettings.of("x", 1), PoolSettings.of("rest", 0));
    }

    @Test
    void poolsThatAreGuaranteedMoreThanAllHaveTheirPartOfIt() {
        assertThat(gate("concurrency: 5, pools: { x: { match: { path: /x }, guarantee: 90% }, y: { guarantee: 60% } }")
                        .settings()
                        .pools())
                .containsExactly(PoolSettings.of("x", 0.6), PoolSettings.of("y", 0.4));
    }

    @Test
    void tenantsAndTheQueue() {
        GateRule gate = gate(
                "concurrency: 5, tenants: { key: header:X-Tenant, at-most: 25% }, queue: { size: 16, max-wait: 50ms, fair-by: tenant }");
        assertThat(gate.tenant()).contains(new Key.Header("X-Tenant"));
        assertThat(gate.settings().tenantAtMost()).isEqualTo(OptionalDouble.of(0.25));
        assertThat(gate.settings().queue()).isEqualTo(new QueueSettings(16, 50_000_000, true));
        assertThat(gate("concurrency: 5, queue: { size: 1, max-wait: 1s }")
                        .settings()
                        .queue())
                .isEqualTo(QueueSettings.of(1, Duration.ofSeconds(1)));
    }

    @Test
    void whoIsRefusedEarly() {
        assertThat(gate("concurrency: 5, shed: { sheddable: 60%, critical: 95% }")
                        .settings()
                        .shed())
                .isEqualTo(new Shedding.Thresholds(Map.of(Criticality.SHEDDABLE, 0.6, Criticality.CRITICAL, 0.95)));
        assertThat(gate("concurrency: 5, reserve: { critical: 2, critical-plus: 1 }")
                        .settings()
                        .shed())
                .isEqualTo(new Shedding.Reserve(Map.of(Criticality.CRITICAL, 2, Criticality.CRITICAL_PLUS, 1)));
    }

    @Test
    void signalsAreSharesAsFractionsAndTimesInNanoseconds() {
        assertThat(gate("concurrency: 5, signals: { cpu: 90%, p99: 800ms, \"pool:db\": 95% }")
                        .settings()
                        .signals())
                .containsExactly(
                        new SignalThreshold("cpu", 0.9),
                        new SignalThreshold("p99", 800_000_000),
                        new SignalThreshold("pool:db", 0.95));
    }

    @Test
    void stepsBeginAboveAShareOrWithoutADependency() {
        GateRule gate = gate(
                "concurrency: 5, degrade: [ { above: 70%, do: stale, match: { method: GET } }, { without: db, do: write-later }, { above: 85%, do: no-extras } ]");
        assertThat(gate.settings().degrade())
                .containsExactly(new DegradeStep(0.7, "stale"), new DegradeStep(0.85, "no-extras"));
        assertThat(gate.degradable())
                .containsExactly(
                        new Match(
                                List.of(),
                                List.of("GET"),
                                List.of(),
                                Map.of(),
                                Map.of(),
                                List.of(),
                                List.of(),
                                Map.of()),
                        Match.ANY);
        assertThat(gate.fallbacks()).containsExactly(new GateRule.Fallback("db", "write-later", Match.ANY));
    }

    @Test
    void theRest() {
        GateRule gate = gate("concurrency: 5, match: { path: /x }, long-call: 10s, mode: shadow");
        assertThat(gate.match()).isEqualTo(path("/x"));
        assertThat(gate.settings().longCallNanos()).isEqualTo(10_000_000_000L);
        assertThat(gate.mode()).isEqualTo(Mode.SHADOW);
        assertThat(gate("concurrency: 5, mode: \"off\"").mode()).isEqualTo(Mode.OFF);
    }

    private static Match path(String pattern) {
        return Reads.limit("key: all, rate: 1/s, match: { path: " + pattern + " }")
                .match();
    }
}
