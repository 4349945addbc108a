package dev.weir.load;

import static dev.weir.load.Criticality.CRITICAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FakeTicker;
import dev.weir.rate.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pools and tenants: who may have which slots. */
final class PoolsTest {

    private static final long MILLI = 1_000_000;
    private static final int PAYMENTS = 0;
    private static final int BROWSE = 1;
    private static final int ADMIN = 2;

    private final FakeTicker ticker = new FakeTicker(0);

    @ParameterizedTest
    @CsvSource({
        "100, 60, 30, 10",
        "64, 38, 19, 7",
        "50, 30, 15, 5",
        "49, 29, 15, 5",
        "10, 6, 3, 1",
        "8, 5, 2, 1",
        "4, 2, 1, 1",
        "3, 1, 1, 1",
        "2, 1, 1, 0",
        "1, 1, 0, 0"
    })
    void sharesAreDividedByLargestRemainder(int limit, int payments, int browse, int admin) {
        assertThat(Guarantees.of(limit, List.of(0.6, 0.3, 0.1))).containsExactly(payments, browse, admin);
    }

    @Test
    void sharesNeedNotBeTheWhole() {
        assertThat(Guarantees.of(10, List.of(0.0))).containsExactly(0);
        assertThat(Guarantees.of(10, List.of(0.5, 0.0))).containsExactly(5, 0);
        assertThat(Guarantees.of(100, List.of(0.29))).containsExactly(29);
        assertThat(Guarantees.of(10, List.of(0.01, 0.01, 0.0))).containsExactly(1, 1, 0);
        assertThat(Guarantees.of(3, List.of(0.02, 0.98))).containsExactly(1, 2);
    }

    @Test
    void guaranteesNeverExceedTheLimit() {
        Random random = new Random(Seeds.next("PoolsTest.guaranteesNeverExceedTheLimit"));
        for (int i = 0; i < 5000 * Seeds.DEPTH; i++) {
            List<Double> shares = shares(random);
            int limit = 1 + random.nextInt(60);
            int[] slots = Guarantees.of(limit, shares);
            assertThat(Arrays.stream(slots).sum()).as("%d %s", limit, shares).isLessThanOrEqualTo(limit);
            for (int pool = 0; pool < slots.length; pool++) {
                assertThat(slots[pool]).as("%d %s", limit, shares).isBetween(0, (int)
                        Math.ceil(limit * shares.get(pool) + 1e-6));
                if (shares.get(pool) > 0 && limit >= slots.length) {
                    assertThat(slots[pool]).as("%d %s", limit, shares).isPositive();
                }
            }
        }
    }

    private static List<Double> shares(Random random) {
        List<Double> shares = new ArrayList<>();
        double left = 1;
        for (int pool = 1 + random.nextInt(5); pool > 0; pool--) {
            double share = Math.floor(left * random.nextDouble() * 100) / 100;
            shares.add(share);
            left -= share;
        }
        return shares;
    }

    private Gate gate(int limit, boolean borrow) {
        return Gate.of(
                GateSettings.of("service", ConcurrencyLimit.fixed(limit))
                        .withPools(
                                new PoolSettings("payments", 0.6, borrow),
                                new PoolSettings("browse", 0.3, borrow),
                                new PoolSettings("admin", 0.1, false)),
                ticker);
    }

    private static GateCall call(int pool, @Nullable String tenant) {
        return new GateCall(pool, tenant, CRITICAL, GateCall.NO_DEADLINE);
    }

    private static Entry enter(Gate gate, int pool) {
        return gate.enter(call(pool, null), new Told());
    }

    private static List<Long> fill(Gate gate, int pool) {
        List<Long> stamps = new ArrayList<>();
        for (Entry entry = enter(gate, pool); ; entry = enter(gate, pool)) {
            if (entry.stamp().isEmpty()) {
                assertThat(entry.refusal()).map(GateRefusal::reason).contains(GateReason.FULL);
                return stamps;
            }
            stamps.add(entry.stamp().getAsLong());
        }
    }

    @Test
    void aFullPoolRefusesAndTheOthersGoOn() {
        Gate gate = gate(10, false);
        assertThat(fill(gate, PAYMENTS)).hasSize(6);
        assertThat(fill(gate, BROWSE)).hasSize(3);
        assertThat(fill(gate, ADMIN)).hasSize(1);
        assertThat(gate.inFlight()).isEqualTo(10);
    }

    @Test
    void adminIsNeverRefusedForPublicTraffic() {
        Gate gate = gate(10, true);
        assertThat(fill(gate, PAYMENTS)).hasSize(9);
        assertThat(fill(gate, BROWSE)).isEmpty();
        assertThat(fill(gate, ADMIN)).hasSize(1);
    }

    @Test
    void anIdleGuaranteeIsLentUntilItIsClaimed() {
        Gate gate = gate(10, true);
        List<Long> payments = fill(gate, PAYMENTS);
        assertThat(gate.judge(call(BROWSE, null))).map(GateRefusal::reason).contains(GateReason.FULL);
        gate.exit(payments.remove(0), Outcome.SUCCESS);
        assertThat(fill(gate, PAYMENTS)).as("the slot is browse's now").isEmpty();
        assertThat(enter(gate, BROWSE).stamp()).isPresent();
        gate.exit(payments.remove(0), Outcome.SUCCESS);
        ticker.advance(1000 * MILLI);
        assertThat(enter(gate, PAYMENTS).stamp()).as("the claim is over").isPresent();
    }

    @Test
    void whoIsAboveTheGuaranteeClaimsNothing() {
        Gate gate = gate(10, true);
        List<Long> payments = fill(gate, PAYMENTS);
        assertThat(payments).hasSize(9);
        assertThat(gate.figures().pools().get(PAYMENTS).claims()).isFalse();
        gate.exit(payments.remove(0), Outcome.SUCCESS);
        assertThat(enter(gate, BROWSE).stamp()).isPresent();
    }

    @Test
    void utilisationIsOfWhatThePoolCanHave() {
        Gate gate = gate(10, false);
        fill(gate, ADMIN);
        assertThat(gate.figures().pools().get(ADMIN).utilisation()).isEqualTo(1);
        for (int i = 0; i < 3; i++) {
            enter(gate, PAYMENTS);
        }
        GateFigures.Pool payments = gate.figures().pools().get(PAYMENTS);
        assertThat(payments.utilisation()).isEqualTo(0.5);
        assertThat(payments.guaranteed()).isEqualTo(6);
        assertThat(payments.inFlight()).isEqualTo(3);
    }

    @Test
    void aFloodedPoolLeavesTheQuietOneItsGuarantee() {
        Gate gate = gate(10, true);
        List<Long> payments = fill(gate, PAYMENTS);
        int served = 0;
        for (int i = 0; i < 40; i++) {
            gate.exit(payments.remove(0), Outcome.SUCCESS);
            Entry browse = enter(gate, BROWSE);
            served += browse.stamp().isPresent() ? 1 : 0;
            browse.stamp().ifPresent(stamp -> gate.exit(stamp, Outcome.SUCCESS));
            enter(gate, PAYMENTS).stamp().ifPresent(payments::add);
            assertThat(gate.inFlight()).isLessThanOrEqualTo(10);
        }
        assertThat(served).isEqualTo(40);
    }

    @Test
    void aTenantHasItsShareWhenSlotsAreScarce() {
        Gate gate =
                Gate.of(GateSettings.of("service", ConcurrencyLimit.fixed(16)).withTenantAtMost(0.25), ticker);
        for (int i = 0; i < 8; i++) {
            assertThat(gate.enter(call(0, "loud"), new Told()).stamp())
                    .as("idle slots are anybody's")
                    .isPresent();
        }
        assertThat(gate.enter(call(0, "loud"), new Told()).refusal())
                .map(GateRefusal::reason)
                .contains(GateReason.TENANT_SHARE);
        for (int i = 0; i < 4; i++) {
            assertThat(gate.enter(call(0, "quiet"), new Told()).stamp()).isPresent();
        }
        assertThat(gate.enter(call(0, "quiet"), new Told()).stamp()).isEmpty();
        assertThat(gate.enter(call(0, null), new Told()).stamp()).isPresent();
    }

    @Test
    void aTenantMayAlwaysHaveOne() {
        Gate gate =
                Gate.of(GateSettings.of("service", ConcurrencyLimit.fixed(2)).withTenantAtMost(0.01), ticker);
        long stamp = gate.enter(call(0, "a"), new Told()).stamp().orElseThrow();
        assertThat(gate.enter(call(0, "a"), new Told()).stamp()).isEmpty();
        assertThat(gate.enter(call(0, "b"), new Told()).stamp()).isPresent();
        gate.exit(stamp, Outcome.SUCCESS);
        assertThat(gate.enter(call(0, "a"), new Told()).stamp()).isPresent();
    }

    @Test
    void aPoolsLongCallsNoLongerCountForIt() {
        Gate gate = Gate.of(
                GateSettings.of("service", ConcurrencyLimit.aimd(4, 4, 10))
                        .withPools(PoolSettings.of("a", 0.5), PoolSettings.of("b", 0.5)),
                ticker);
        List<Long> sockets = fill(gate, 0);
        sockets.forEach(gate::markLong);
        assertThat(gate.figures().pools().get(0).inFlight()).isZero();
        assertThat(fill(gate, 1)).hasSize(4);
        sockets.forEach(stamp -> gate.exit(stamp, Outcome.SUCCESS));
        assertThat(gate.figures().pools().get(0).inFlight()).isZero();
        assertThat(gate.inFlight()).isEqualTo(4);
    }

    @Test
    void longCallsFillThePoolThatHoldsThemAndLeaveNobodyMoreThanThereIs() {
        Gate gate = gate(10, true);
        List<Long> streams = fill(gate, BROWSE);
        assertThat(streams).hasSize(9);
        streams.forEach(gate::markLong);
        GateFigures figures = gate.figures();
        assertThat(figures.utilisation()).isEqualTo(0.9);
        assertThat(figures.pools().get(BROWSE).utilisation()).isEqualTo(1);
        assertThat(figures.pools().get(PAYMENTS).utilisation()).isEqualTo(1);
        assertThat(figures.pools().get(ADMIN).utilisation()).isZero();
        assertThat(enter(gate, PAYMENTS).stamp()).isEmpty();
        assertThat(enter(gate, ADMIN).stamp()).isPresent();
    }

    @Test
    void poolsThatMakeNoWholeAreRefused() {
        GateSettings settings = GateSettings.of("service", ConcurrencyLimit.fixed(4));
        assertThatThrownBy(() -> settings.withPools(PoolSettings.of("a", 0.6), PoolSettings.of("b", 0.5)))
                .hasMessageContaining("at most 1");
        assertThatThrownBy(() -> settings.withPools(PoolSettings.of("a", 0.6), PoolSettings.of("a", 0.1)))
                .hasMessageContaining("one name");
        assertThatThrownBy(() -> PoolSettings.of("a", 1.1)).hasMessageContaining("0 to 1");
    }
}
