package dev.weir.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What stores promise, on the one that needs no server. Against a server the module {@code redis} compares with this one. */
final class MemoryStoreTest {

    private static final StoreKey ANN = StoreKeyHash.unkeyed().of(List.of("header:X-Api-Key", "ann"));
    private static final StoreKey BEN = StoreKeyHash.unkeyed().of(List.of("header:X-Api-Key", "ben"));

    private final FakeTicker ticker = new FakeTicker(1_700_000_000_000_000_000L);
    private final MemoryStore store = new MemoryStore(ticker);
    private final RateStore one = store.instance("one");
    private final RateStore other = store.instance("other");

    private static FleetCharge rate(String limit, StoreKey key, String rate, long cost) {
        return new FleetCharge(limit, key, new FleetCharge.Rate(RateLimit.parse(rate)), cost, true);
    }

    private static FleetCharge shadow(FleetCharge charge) {
        return new FleetCharge(charge.limit(), charge.key(), charge.use(), charge.cost(), false);
    }

    private static FleetCharge inFlight(StoreKey key, int calls) {
        return new FleetCharge("concurrent", key, new FleetCharge.InFlight(calls), 1, true);
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static Receipt granted(RateStore store, FleetCharge... bill) {
        return ((Charged.Granted) now(store.charge(List.of(bill)))).receipt();
    }

    private static List<Charged.Line> refused(RateStore store, FleetCharge... bill) {
        return ((Charged.Refused) now(store.charge(List.of(bill)))).lines();
    }

    private static long left(RateStore store, FleetCharge charge) {
        return now(store.peek(List.of(charge))).orElseThrow().get(0).standing().remaining();
    }

    @Test
    void instancesShareABudget() {
        FleetCharge call = rate("per-key", ANN, "3/s", 1);
        granted(one, call);
        granted(other, call);
        granted(one, call);
        assertThat(refused(other, call).get(0).waitNanos())
                .as("whole microseconds")
                .isEqualTo(333_334_000L);
        ticker.advance(333_333_000L);
        refused(one, call);
        ticker.advance(1_000);
        granted(one, call);
        assertThat(left(one, rate("per-key", BEN, "3/s", 1))).isEqualTo(3);
    }

    @Test
    void allOrNone() {
        FleetCharge wide = rate("wide", ANN, "10/s", 2);
        FleetCharge narrow = rate("narrow", ANN, "1/s", 1);
        granted(one, wide, narrow);
        List<Charged.Line> lines = refused(one, wide, narrow);
        assertThat(lines.get(0).waitNanos()).isEqualTo(RateTable.NOW);
        assertThat(lines.get(1).waitNanos()).isEqualTo(1_000_000_000L);
        assertThat(lines).noneMatch(Charged.Line::charged);
        assertThat(left(one, wide)).isEqualTo(8);
    }

    @Test
    void aShadowIsChargedForAdmittedCallsThatItWouldLetPass() {
        FleetCharge enforced = rate("enforced", ANN, "2/s", 1);
        FleetCharge shadow = shadow(rate("shadow", ANN, "1/s", 1));
        Charged.Granted first = (Charged.Granted) now(one.charge(List.of(enforced, shadow)));
        assertThat(first.lines().get(1).charged()).isTrue();
        Charged.Granted second = (Charged.Granted) now(one.charge(List.of(enforced, shadow)));
        assertThat(second.lines().get(1).charged()).isFalse();
        assertThat(second.lines().get(1).waitNanos()).isEqualTo(1_000_000_000L);
        ticker.advance(1_000_000_000L);
        granted(one, rate("enforced", ANN, "2/s", 2));
        assertThat(refused(one, enforced, shadow).get(1).charged()).isFalse();
        assertThat(left(one, shadow)).isEqualTo(1);
        assertThat(now(one.giveBack(second.receipt()))).isTrue();
        assertThat(left(one, shadow)).as("the second call did not charge it").isEqualTo(1);
    }

    @Test
    void aReceiptSettlesOnceByWhomever() {
        FleetCharge call = rate("tokens", ANN, "1000/h", 200);
        Receipt receipt = granted(one, call);
        Receipt copy = other.receipt(receipt.text());
        assertThat(now(other.settle(copy, new long[] {50}))).isTrue();
        assertThat(now(one.settle(receipt, new long[] {0}))).isFalse();
        assertThat(left(one, call)).isEqualTo(950);
        Receipt dear = granted(one, rate("tokens", ANN, "1000/h", 900));
        assertThat(now(one.settle(dear, new long[] {5_000}))).isTrue();
        assertThat(refused(one, rate("tokens", ANN, "1000/h", 1)).get(0).waitNanos())
                .as("debt of one burst")
                .isEqualTo(Duration.ofHours(1).toNanos() + 3_600_000_000L);
        assertThatThrownBy(() -> one.receipt("nonsense")).hasMessageContaining("no receipt");
        assertThatThrownBy(() -> one.settle(granted(one, rate("x", ANN, "1/s", 1)), new long[2]))
                .hasMessageContaining("2 costs for a bill of 1 lines");
    }

    @Test
    void callsInFlightAreHeldUntilReleasedOrTheirInstanceIsGone() {
        Receipt held = granted(one, inFlight(ANN, 2));
        granted(other, inFlight(ANN, 2));
        assertThat(refused(other, inFlight(ANN, 2)).get(0).standing().concurrent())
                .isTrue();
        assertThat(other.release(held)).as("held by the other instance").isFalse();
        assertThat(one.release(held)).isTrue();
        assertThat(one.release(held)).isFalse();
        granted(one, inFlight(ANN, 2));

        store.cutOff("one", Charged.Cause.TIMEOUT);
        ticker.advance(Duration.ofSeconds(10).toNanos() - 1_000);
        refused(other, inFlight(ANN, 2));
        assertThat(other.instances()).hasValue(2);
        ticker.advance(1_000);
        granted(other, inFlight(ANN, 2));
        assertThat(other.instances()).hasValue(1);
        other.close();
        store.reconnect("one");
        assertThat(left(one, inFlight(ANN, 2))).isEqualTo(1);
    }

    @Test
    void anInstanceWithoutStoreIsToldSo() {
        store.cutOff("one", Charged.Cause.TIMEOUT);
        FleetCharge call = rate("per-key", ANN, "3/s", 1);
        assertThat(now(one.charge(List.of(call)))).isEqualTo(new Charged.Unavailable(Charged.Cause.TIMEOUT, false));
        assertThat(now(one.peek(List.of(call)))).isEmpty();
        assertThat(now(one.probe())).isFalse();
        assertThat(one.figures().unavailable()).containsEntry(Charged.Cause.TIMEOUT, 1L);
        assertThat(left(other, call)).isEqualTo(3);
        store.reconnect("one");
        granted(one, call);
        one.close();
        assertThat(now(one.charge(List.of(call)))).isEqualTo(new Charged.Unavailable(Charged.Cause.CLOSED, false));
    }

    @Test
    void whatWasAdmittedMeanwhileIsAbsorbedWhereItBelongs() {
        long second = 1_000_000_000L;
        FleetCharge bucket = rate("bucket", ANN, "10/10s", 6);
        FleetCharge fixed = algorithm("fixed", Algorithm.FIXED_WINDOW);
        FleetCharge sliding = algorithm("sliding", Algorithm.SLIDING_WINDOW);
        FleetCharge log = algorithm("log", Algorithm.SLIDING_LOG);
        ticker.advance(4 * second);
        for (FleetCharge charge : List.of(bucket, fixed, sliding, log)) {
            assertThat(now(one.absorb(List.of(new RateStore.Owed(charge, 0))))).isTrue();
            assertThat(left(one, charge)).as(charge.limit()).isEqualTo(4);
            one.absorb(List.of(new RateStore.Owed(charge, 5 * second)));
        }
        assertThat(left(one, bucket)).as("5 of the 6 came back meanwhile").isEqualTo(3);
        assertThat(left(one, fixed)).as("of the window before").isEqualTo(4);
        assertThat(left(one, sliding))
                .as("6 of the window before, weighed by 6 in 10")
                .isZero();
        assertThat(left(one, log)).isZero();
        ticker.advance(5 * second);
        assertThat(left(one, log)).as("6 of the 12 are over").isEqualTo(4);
        one.absorb(List.of(new RateStore.Owed(log, 20 * second)));
        assertThat(left(one, log)).isEqualTo(4);
    }

    private static FleetCharge algorithm(String limit, Algorithm algorithm) {
        RateLimit numbers = RateLimit.parse("10/10s").algorithm(algorithm);
        return new FleetCharge(limit, ANN, new FleetCharge.Rate(numbers), 6, true);
    }

    @Test
    void anotherRateKeepsTheUnitsAndAnotherWindowStartsFresh() {
        granted(one, rate("per-key", ANN, "10/s", 4));
        assertThat(left(one, rate("per-key", ANN, "100/min", 1))).isEqualTo(96);
        assertThat(left(one, rate("per-key", ANN, "10/s", 1)))
                .as("looking changes nothing")
                .isEqualTo(6);
        RateLimit window = RateLimit.parse("10/s").algorithm(Algorithm.FIXED_WINDOW);
        assertThat(left(one, new FleetCharge("per-key", ANN, new FleetCharge.Rate(window), 1, true)))
                .isEqualTo(10);
    }

    /** A clock that stepped back drains nothing and punishes nobody. */
    @Test
    void theClockMayStepBack() {
        FleetCharge call = rate("per-key", ANN, "1/s", 1);
        granted(one, call);
        ticker.advance(-Duration.ofHours(1).toNanos());
        assertThat(refused(one, call).get(0).waitNanos()).isEqualTo(1_000_000_000L);
        FleetCharge wide = rate("wide", ANN, "5/s", 1);
        granted(one, wide);
        ticker.advance(-Duration.ofHours(1).toNanos());
        granted(one, wide);
        assertThat(left(one, wide)).isEqualTo(3);
        ticker.advance(200_000_000L);
        assertThat(left(one, wide)).as("it refills from where the clock stands").isEqualTo(4);
    }

    @Test
    void keysAreListedAndForgotten() {
        FleetCharge call = rate("per-key", ANN, "3/s", 3);
        granted(one, call);
        granted(one, inFlight(BEN, 1));
        assertThat(now(other.keys("per-key", 10)).orElseThrow()).containsExactly(ANN);
        assertThat(now(other.keys("concurrent", 10)).orElseThrow()).containsExactly(BEN);
        assertThat(now(other.forget(call))).isTrue();
        assertThat(now(other.forget(call))).isFalse();
        granted(one, call);
    }

    @Test
    void settingsReachEveryInstance() {
        List<FleetSettings.Snapshot> told = new ArrayList<>();
        other.settings().onChange(told::add);
        Instant until = Instant.ofEpochSecond(0, ticker.nanos()).plusSeconds(60);
        long version = now(one.settings().put("limits.per-key.rate", "5/s", Optional.of(until)))
                .orElseThrow();
        assertThat(told).hasSize(1);
        assertThat(told.get(0).settings()).containsKey("limits.per-key.rate");
        assertThat(other.settings().snapshot().version()).isEqualTo(version);
        store.cutOff("other", Charged.Cause.CONNECTION_LOST);
        one.settings().put("mode", "shadow", Optional.empty());
        assertThat(other.settings().snapshot().settings()).hasSize(1);
        store.reconnect("other");
        assertThat(other.settings().snapshot().settings()).hasSize(2);
        ticker.advance(Duration.ofSeconds(60).toNanos());
        assertThat(other.settings().snapshot().settings()).containsOnlyKeys("mode");
        assertThat(now(one.settings().remove("mode")).orElseThrow()).isGreaterThan(version);
        assertThat(other.settings().snapshot().settings()).isEmpty();
        assertThatThrownBy(() -> one.settings().put("", "x", Optional.empty())).hasMessageContaining("0 characters");
    }

    @Test
    void billsAndChargesThatCannotBe() {
        FleetCharge call = rate("per-key", ANN, "3/s", 1);
        assertThatThrownBy(() -> one.charge(List.of())).hasMessageContaining("a store takes 1 to 8");
        assertThatThrownBy(() -> one.charge(List.of(call, shadow(call)))).hasMessageContaining("stands twice");
        assertThatThrownBy(() -> rate("per-key", ANN, "0/s", 1)).hasMessageContaining("never refills");
        assertThatThrownBy(() -> rate("per-key", ANN, "3/s", -1)).hasMessageContaining("give back by the receipt");
        RateLimit fine = RateLimit.of(5, Duration.ofNanos(1_500)).algorithm(Algorithm.FIXED_WINDOW);
        assertThatThrownBy(() -> new FleetCharge.Rate(fine)).hasMessageContaining("whole microseconds");
        assertThatThrownBy(() -> new FleetCharge("c", ANN, new FleetCharge.InFlight(2), 2, true))
                .hasMessageContaining("counts once");
        assertThatThrownBy(() -> store.instance("one")).hasMessageContaining("lives already");
        assertThatThrownBy(() -> StoreKeyHash.withSecret("")).hasMessageContaining("secret is empty");
        assertThatThrownBy(() -> StoreKey.parse("xyz")).hasMessageContaining("32 hexadecimal digits");
    }

    @Test
    void keysOfPartsKeepTheirBordersAndDependOnTheSecret() {
        StoreKeyHash plain = StoreKeyHash.unkeyed();
        StoreKeyHash keyed = StoreKeyHash.withSecret("s");
        assertThat(plain.of(List.of("a:b", "c"))).isNotEqualTo(plain.of(List.of("a", "b:c")));
        assertThat(plain.of(List.of("a"))).isEqualTo(StoreKeyHash.unkeyed().of(List.of("a")));
        assertThat(keyed.of(List.of("a"))).isNotEqualTo(plain.of(List.of("a")));
        assertThat(keyed.of(List.of("a")))
                .isNotEqualTo(StoreKeyHash.withSecret("t").of(List.of("a")));
        assertThat(StoreKey.parse(ANN.toString())).isEqualTo(ANN);
    }
}
