package dev.weir.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A gate where a slot is all that one can want. */
final class GateTest {

    private static final long MILLI = 1_000_000;

    private final FakeTicker ticker = new FakeTicker(Long.MAX_VALUE - 5_000 * MILLI);

    private Gate gate(ConcurrencyLimit concurrency) {
        return Gate.of(GateSettings.of("service", concurrency), ticker);
    }

    @Test
    void asManyEnterAsTheLimitSays() {
        Gate gate = gate(ConcurrencyLimit.fixed(3));
        List<Long> stamps = enter(gate, 3);
        assertThat(stamps).doesNotContain(Gate.REFUSED).doesNotHaveDuplicates();
        assertThat(gate.tryEnter()).isEqualTo(Gate.REFUSED);
        gate.exit(stamps.get(1), Outcome.SUCCESS);
        assertThat(gate.inFlight()).isEqualTo(2);
        assertThat(gate.tryEnter()).isNotEqualTo(Gate.REFUSED);
    }

    @Test
    void aSecondExitChangesNothingAndIsCounted() {
        Gate gate = gate(ConcurrencyLimit.fixed(1));
        long stamp = gate.tryEnter();
        gate.exit(stamp, Outcome.SUCCESS);
        gate.exit(stamp, Outcome.SUCCESS);
        assertThat(gate.inFlight()).isZero();
        assertThat(gate.doubleExits()).isEqualTo(1);
        long next = gate.tryEnter();
        gate.exit(stamp, Outcome.SUCCESS);
        assertThat(gate.inFlight()).isEqualTo(1);
        assertThat(gate.tryEnter()).isEqualTo(Gate.REFUSED);
        gate.exit(next, Outcome.SUCCESS);
        assertThat(gate.doubleExits()).isEqualTo(2);
    }

    @Test
    void whatIsNoStampIsNoExit() {
        Gate gate = gate(ConcurrencyLimit.fixed(1));
        long stamp = gate.tryEnter();
        for (long none : new long[] {0, -1, -stamp, Long.MAX_VALUE, Long.MIN_VALUE, stamp + 1, 131_071, 1L << 62}) {
            gate.exit(none, Outcome.SUCCESS);
            gate.responseStarted(none);
            gate.markLong(none);
            gate.abandon(none);
        }
        assertThat(gate.inFlight()).isEqualTo(1);
        assertThat(gate.figures().longCalls()).isZero();
    }

    @Test
    void aStampOfAnotherGateIsNoExit() {
        Gate other = gate(ConcurrencyLimit.fixed(100));
        long first = other.tryEnter();
        long second = other.tryEnter();
        Gate gate = gate(ConcurrencyLimit.fixed(100));
        long stamp = gate.tryEnter();

        gate.exit(second, Outcome.SUCCESS);

        assertThat(gate.inFlight()).isEqualTo(1);
        assertThat(gate.doubleExits()).isEqualTo(1);
        gate.exit(stamp, Outcome.SUCCESS);
        gate.exit(first, Outcome.SUCCESS);
        assertThat(gate.inFlight()).isZero();
    }

    @Test
    void everyWayOutFreesTheSlot() throws Exception {
        Gate gate = gate(ConcurrencyLimit.fixed(10));
        for (int i = 0; i < 1000; i++) {
            wayOut(gate, i % 9);
            assertThat(gate.inFlight()).as("way out %d", i % 9).isZero();
        }
        assertThat(enter(gate, 11)).filteredOn(stamp -> stamp == Gate.REFUSED).hasSize(1);
    }

    private static void wayOut(Gate gate, int way) throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        switch (way) {
            case 0 -> gate.call(() -> "done");
            case 1 ->
                assertThatThrownBy(() -> gate.call(() -> {
                            throw new java.io.IOException("checked");
                        }))
                        .isInstanceOf(java.io.IOException.class);
            case 2 ->
                assertThatThrownBy(() -> gate.call(() -> {
                            throw new AssertionError("error");
                        }))
                        .isInstanceOf(AssertionError.class);
            case 3 ->
                assertThatThrownBy(() -> gate.call(() -> {
                            throw new TimeoutException();
                        }))
                        .isInstanceOf(TimeoutException.class);
            case 4 ->
                assertThatThrownBy(() -> gate.callAsync(() -> {
                            throw new CancellationException("before it started");
                        }))
                        .isInstanceOf(CancellationException.class);
            case 5 -> {
                gate.callAsync(() -> future);
                future.cancel(true);
            }
            case 6 -> {
                gate.callAsync(() -> future);
                future.completeExceptionally(new TimeoutException());
                future.complete("twice");
            }
            case 7 -> gate.abandon(gate.tryEnter());
            default ->
                assertThatThrownBy(() -> gate.callAsync(() -> nothing())).isInstanceOf(NullPointerException.class);
        }
    }

    @SuppressWarnings("NullAway")
    private static CompletableFuture<String> nothing() {
        return null;
    }

    @Test
    void whoCannotEnterDoesNotWork() {
        Gate gate = gate(ConcurrencyLimit.fixed(1));
        gate.tryEnter();
        assertThatThrownBy(() -> gate.call(() -> "no"))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("service")
                .hasMessageContaining("1 in flight");
    }

    @Test
    void aRoundOfAnswersIsOneStep() {
        for (int millis : new int[] {10, 200}) {
            Gate gate = gate(ConcurrencyLimit.aimd(20, 4, 100));
            roundTrip(gate, 20, millis);
            assertThat(gate.limit()).isEqualTo(21);
            roundTrip(gate, 20, millis);
            assertThat(gate.limit()).isEqualTo(21);
            roundTrip(gate, 21, millis);
            assertThat(gate.limit()).isEqualTo(22);
        }
    }

    @Test
    void fromOneItTakesNineteenRoundsToTwenty() {
        Gate gate = gate(ConcurrencyLimit.aimd(1, 1, 100));
        for (int round = 1; round <= 19; round++) {
            roundTrip(gate, gate.limit(), 20);
        }
        assertThat(gate.limit()).isEqualTo(20);
    }

    @Test
    void fewAnswersMakeAWindowAfterFiveSeconds() {
        Gate gate = gate(ConcurrencyLimit.gradient(4, 4, 100));
        for (int round = 0; round < 4; round++) {
            roundTrip(gate, 4, 1200);
        }
        assertThat(gate.figures().moves()).isEmpty();
        roundTrip(gate, 4, 1200);
        assertThat(gate.figures().moves()).hasSize(1);
    }

    @Test
    void littlesLawHoldsInAWindow() {
        Gate gate = gate(ConcurrencyLimit.gradient(25, 4, 100));
        roundTrip(gate, 25, 50);
        roundTrip(gate, 25, 50);
        LimitMove move = gate.figures().lastMoves().get(0);
        assertThat(move.inFlight()).isEqualTo(25);
        assertThat(move.throughput()).isEqualTo(500);
        assertThat(move.latencyNanos()).isEqualTo(50.0 * MILLI);
        assertThat(move.reason()).isEqualTo(MoveReason.ROOM);
        assertThat(move.from()).isEqualTo(25);
        assertThat(gate.figures().moves()).containsEntry(MoveReason.ROOM, 1L);
    }

    @Test
    void ignoredCallsSayNothing() {
        Gate gate = gate(ConcurrencyLimit.aimd(4, 4, 100));
        for (int i = 0; i < 1000; i++) {
            List<Long> stamps = enter(gate, 4);
            ticker.advance(20 * MILLI);
            stamps.forEach(stamp -> gate.exit(stamp, Outcome.IGNORED));
        }
        assertThat(gate.figures().moves()).isEmpty();
    }

    @Test
    void aCallerThatLeavesLateWasATimeoutInDisguise() {
        Gate gate = gate(ConcurrencyLimit.gradient(20, 4, 100));
        for (int round = 0; round < 3; round++) {
            roundTrip(gate, 20, 50);
        }
        for (int round = 0; round < 9; round++) {
            abandon(gate, 20, 40);
        }
        assertThat(gate.figures().moves()).doesNotContainKey(MoveReason.DROPPED);
        for (int round = 0; round < 3; round++) {
            abandon(gate, 20, 60);
        }
        assertThat(gate.figures().moves()).containsEntry(MoveReason.DROPPED, 1L);
    }

    private void abandon(Gate gate, int calls, long millis) {
        List<Long> stamps = enter(gate, calls);
        ticker.advance(millis * MILLI);
        stamps.forEach(gate::abandon);
    }

    @Test
    void theLatencyEndsWhereTheResponseStarts() {
        Gate gate = gate(ConcurrencyLimit.gradient(60, 4, 100));
        List<Long> streams = enter(gate, 50);
        ticker.advance(100 * MILLI);
        streams.forEach(gate::responseStarted);
        streams.forEach(gate::responseStarted);
        assertThat(gate.figures().baseNanos()).isEqualTo(100.0 * MILLI);
        ticker.advance(10_000 * MILLI);
        assertThat(gate.inFlight()).isEqualTo(50);
        streams.forEach(stamp -> gate.exit(stamp, Outcome.SUCCESS));
        assertThat(gate.inFlight()).isZero();
        assertThat(gate.figures().moves().values()).containsExactly(1L);
    }

    @Test
    void aStreamHoldsItsSlotUntilItEnds() {
        Gate gate = gate(ConcurrencyLimit.fixed(2));
        List<Long> streams = enter(gate, 2);
        streams.forEach(gate::responseStarted);
        ticker.advance(1000 * MILLI);
        assertThat(gate.tryEnter()).isEqualTo(Gate.REFUSED);
        gate.markLong(streams.get(0));
        assertThat(gate.tryEnter()).isEqualTo(Gate.REFUSED);
        gate.exit(streams.get(0), Outcome.SUCCESS);
        long third = gate.tryEnter();
        assertThat(third).isNotEqualTo(Gate.REFUSED);
        gate.exit(third, Outcome.IGNORED);
        for (int i = 0; i < 1000; i++) {
            long socket = gate.tryEnter();
            gate.markLong(socket);
            gate.exit(socket, Outcome.SUCCESS);
        }
        assertThat(gate.inFlight()).isEqualTo(1);
        assertThat(gate.figures().longCalls()).isZero();
    }

    @Test
    void longCallsLeaveTheLimitButNotTheCeiling() {
        Gate gate = Gate.of(
                GateSettings.of("service", ConcurrencyLimit.aimd(4, 4, 10)).withLongCall(Duration.ofSeconds(30)),
                ticker);
        List<Long> sockets = enter(gate, 4);
        assertThat(gate.tryEnter()).isEqualTo(Gate.REFUSED);
        ticker.advance(30_000 * MILLI);
        gate.tryEnter();
        assertThat(gate.figures().longCalls()).isEqualTo(4);
        assertThat(enter(gate, 4)).doesNotContain(Gate.REFUSED);
        assertThat(gate.tryEnter()).isEqualTo(Gate.REFUSED);
        sockets.forEach(gate::markLong);
        ticker.advance(30_000 * MILLI);
        assertThat(gate.figures().longCalls()).isEqualTo(8);
        assertThat(enter(gate, 3)).filteredOn(stamp -> stamp != Gate.REFUSED).hasSize(2);
        sockets.forEach(stamp -> gate.exit(stamp, Outcome.SUCCESS));
        assertThat(gate.figures().longCalls()).isEqualTo(4);
        assertThat(gate.figures().moves()).isEmpty();
    }

    @Test
    void enteringAndLeavingAllocatesNothing() {
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        Gate gate = gate(ConcurrencyLimit.gradient());
        long thread = Thread.currentThread().getId();
        int calls = 50_000;
        long bytes = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int call = 0; call < calls; call++) {
                gate.exit(gate.tryEnter(), Outcome.SUCCESS);
            }
            bytes = Math.min(bytes, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(bytes).isLessThan(calls);
    }

    @Test
    void timeIsReadForSomeOfVeryManyCalls() {
        long[] reads = {0};
        Gate gate = Gate.of(GateSettings.of("busy", ConcurrencyLimit.fixed(10)), () -> reads[0]++ * 1000);
        for (int i = 0; i < 1_000_000; i++) {
            gate.exit(gate.tryEnter(), Outcome.SUCCESS);
        }
        assertThat(reads[0]).isLessThan(1_000_000);
        assertThat(gate.figures().moves().get(MoveReason.STEADY)).isPositive();
    }

    @Test
    void figuresTellOfTimeAtTheBoundsAndOfTheOldestCall() {
        Gate gate = gate(ConcurrencyLimit.aimd(4, 4, 5));
        gate.tryEnter();
        ticker.advance(7000 * MILLI);
        GateFigures figures = gate.figures();
        assertThat(figures.atFloorNanos()).isEqualTo(7000 * MILLI);
        assertThat(figures.atCeilingNanos()).isZero();
        assertThat(figures.oldestNanos()).isEqualTo(7000 * MILLI);
        assertThat(figures.utilisation()).isEqualTo(0.25);
        assertThat(figures.pools()).hasSize(1);
    }

    @Test
    void retryAfterGrowsWithTheShareThatIsRefused() {
        assertThat(Refusals.retryAfterNanos(0, 0)).isEqualTo(1000 * MILLI);
        assertThat(Refusals.retryAfterNanos(0, 100)).isEqualTo(1000 * MILLI);
        assertThat(Refusals.retryAfterNanos(100, 100)).isEqualTo(2000 * MILLI);
        assertThat(Refusals.retryAfterNanos(2, 0)).isEqualTo(30_000 * MILLI);
        assertThat(Refusals.retryAfterNanos(9_000, 100)).isEqualTo(30_000 * MILLI);
        Gate gate = gate(ConcurrencyLimit.fixed(1));
        long stamp = gate.tryEnter();
        for (int i = 0; i < 3; i++) {
            assertThat(gate.tryEnter()).isEqualTo(Gate.REFUSED);
        }
        ticker.advance(1000 * MILLI);
        gate.figures();
        GateCall call = GateCall.of(Criticality.CRITICAL);
        assertThat(gate.judge(call).orElseThrow()).isEqualTo(new GateRefusal(GateReason.FULL, 4000 * MILLI));
        gate.exit(stamp, Outcome.SUCCESS);
        ticker.advance(11_000 * MILLI);
        gate.figures();
        gate.tryEnter();
        assertThat(gate.judge(call).orElseThrow().retryAfterNanos()).isEqualTo(1000 * MILLI);
    }

    private void roundTrip(Gate gate, int calls, long millis) {
        List<Long> stamps = enter(gate, calls);
        ticker.advance(millis * MILLI);
        stamps.forEach(stamp -> gate.exit(stamp, Outcome.SUCCESS));
    }

    private static List<Long> enter(Gate gate, int calls) {
        return new ArrayList<>(
                IntStream.range(0, calls).mapToObj(call -> gate.tryEnter()).toList());
    }
}
