package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.client.PeerAnswer.Kind;
import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.Criticality;
import dev.weir.rate.RateLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class OutboundTest {

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    private final PlayedTime time = new PlayedTime();
    private final List<String> told = new ArrayList<>();

    private static OutboundSettings settings() {
        return OutboundSettings.of("payments");
    }

    private static OutboundSettings.Retry retries(int tries) {
        return new OutboundSettings.Retry(tries, OptionalInt.of(10_000), Backoff.DEFAULT, Set.of());
    }

    private Outbound outbound(OutboundSettings settings) {
        return Outbound.of(settings, time, time, new Random(5), new OutboundListener() {
            @Override
            public void out(String dependency, long forNanos) {
                told.add(dependency + " out for " + forNanos / MILLI);
            }

            @Override
            public void back(String dependency) {
                told.add(dependency + " back");
            }
        });
    }

    /** A dependency whose answers the test has written down, each of which takes a while. */
    private final class Peer implements AsyncOutboundWork<PeerAnswer> {
        final ArrayDeque<Supplier<PeerAnswer>> answers = new ArrayDeque<>();
        final List<Long> sentAtMillis = new ArrayList<>();
        final List<OptionalInt> announced = new ArrayList<>();
        final List<CompletableFuture<PeerAnswer>> underWay = new ArrayList<>();
        long latencyNanos = 10 * MILLI;

        Peer answers(PeerAnswer... all) {
            for (PeerAnswer answer : all) {
                answers.add(() -> answer);
            }
            return this;
        }

        @Override
        public CompletionStage<PeerAnswer> send(Sending attempt) {
            sentAtMillis.add(time.nanos() / MILLI);
            announced.add(attempt.announcedAttempt());
            CompletableFuture<PeerAnswer> answer = new CompletableFuture<>();
            underWay.add(answer);
            time.after(latencyNanos, () -> {
                Supplier<PeerAnswer> next = answers.poll();
                PeerAnswer said = next == null ? PeerAnswer.ACCEPTED : next.get();
                answer.complete(said);
            });
            return answer;
        }

        @Override
        public PeerAnswer read(PeerAnswer result, Throwable failure) {
            return failure != null ? AnswerReader.ofFailure(failure) : result;
        }
    }

    private static OutboundRefusal refusal(CompletableFuture<?> call) {
        try {
            call.getNow(null);
        } catch (CompletionException e) {
            return ((OutboundRefusedException) e.getCause()).refusal();
        }
        throw new AssertionError("it was not refused: " + call);
    }

    private static PeerAnswer refused(long pauseNanos) {
        return new PeerAnswer(Kind.REFUSED, PeerAdvice.pause(pauseNanos));
    }

    private static PeerAnswer accepted(long remaining, long resetNanos) {
        return new PeerAnswer(Kind.ACCEPTED, PeerAdvice.left(PeerAdvice.Limit.of(remaining, resetNanos)));
    }

    // Rate

    @Test
    void aSmallBurstAndAShortWait() {
        Outbound outbound = outbound(settings()
                .pace(new OutboundSettings.Pace(RateLimit.parse("10/s"), OptionalInt.of(2), false))
                .maxWait(Duration.ofMillis(150)));
        Peer peer = new Peer();
        List<CompletableFuture<PeerAnswer>> calls = new ArrayList<>();
        for (int call = 0; call < 4; call++) {
            calls.add(outbound.callAsync(OutboundCall.ONCE, peer));
        }
        assertThat(refusal(calls.get(3)).reason()).isEqualTo(OutboundReason.RATE);
        assertThat(refusal(calls.get(3)).retryAfterNanos()).hasValue(200 * MILLI);
        assertThat(refusal(calls.get(3)).explanation())
                .startsWith("payments was not asked: ")
                .contains("10/s")
                .endsWith("come back in 200 ms");
        time.play(SECOND);
        assertThat(peer.sentAtMillis).containsExactly(0L, 0L, 100L);
        assertThat(calls.subList(0, 3)).allMatch(CompletableFuture::isDone);
    }

    /** Twelve evenly spaced calls a second under ten: a burst of one alone would let every second one through. */
    @Test
    void aShortWaitMakesUpForUnevenTimes() {
        Outbound outbound = outbound(settings().rate(RateLimit.parse("10/s")));
        Peer peer = new Peer();
        for (int call = 0; call < 120; call++) {
            CompletableFuture<PeerAnswer> unused = outbound.callAsync(OutboundCall.ONCE, peer);
            time.play(SECOND / 12);
        }
        assertThat(peer.sentAtMillis.size()).isBetween(99, 101);
        for (int first = 0; first < peer.sentAtMillis.size(); first++) {
            long from = peer.sentAtMillis.get(first);
            assertThat(peer.sentAtMillis.stream()
                            .filter(at -> at >= from && at < from + 1_000)
                            .count())
                    .isLessThanOrEqualTo(11);
        }
    }

    @Test
    void theShareOfAnInstanceIsExact() {
        OutboundSettings.Pace pace = new OutboundSettings.Pace(RateLimit.parse("200/s"), OptionalInt.empty(), true);
        assertThat(pace.of(20))
                .isEqualTo(RateLimit.of(200, Duration.ofSeconds(20)).burst(1));
        assertThat(pace.of(7))
                .isEqualTo(RateLimit.of(200, Duration.ofSeconds(7)).burst(2));
        assertThat(pace.of(1))
                .isEqualTo(RateLimit.of(200, Duration.ofSeconds(1)).burst(20));
        assertThat(OutboundSettings.Pace.of(RateLimit.parse("200/s")).of(20))
                .isEqualTo(RateLimit.parse("200/s").burst(20));
        assertThatThrownBy(() -> pace.of(0)).hasMessageContaining("at least one");
    }

    @Test
    void moreInstancesMakeEachSlower() {
        Outbound outbound = outbound(settings()
                .pace(new OutboundSettings.Pace(RateLimit.parse("10/s"), OptionalInt.of(1), true))
                .maxWait(Duration.ofSeconds(3)));
        Peer peer = new Peer();
        CompletableFuture<PeerAnswer> first = outbound.callAsync(OutboundCall.ONCE, peer);
        outbound.instances(10);
        CompletableFuture<PeerAnswer> second = outbound.callAsync(OutboundCall.ONCE, peer);
        CompletableFuture<PeerAnswer> third = outbound.callAsync(OutboundCall.ONCE, peer);
        time.play(5 * SECOND);
        assertThat(List.of(first, second, third)).allMatch(CompletableFuture::isDone);
        assertThat(peer.sentAtMillis).as("what was used before stays used").containsExactly(0L, 1_000L, 2_000L);
    }

    // In flight

    @Test
    void asMuchUnderWayAsAllowed() {
        Outbound outbound = outbound(settings().inFlight(ConcurrencyLimit.fixed(2)));
        Peer peer = new Peer();
        CompletableFuture<PeerAnswer> first = outbound.callAsync(OutboundCall.ONCE, peer);
        CompletableFuture<PeerAnswer> second = outbound.callAsync(OutboundCall.ONCE, peer);
        CompletableFuture<PeerAnswer> third = outbound.callAsync(OutboundCall.ONCE, peer);
        assertThat(refusal(third).reason()).isEqualTo(OutboundReason.IN_FLIGHT);
        assertThat(outbound.figures().inFlight()).isEqualTo(2);
        time.play(10 * MILLI);
        assertThat(first).isDone();
        assertThat(second).isDone();
        assertThat(outbound.figures().inFlight()).isZero();
        assertThat(outbound.callAsync(OutboundCall.ONCE, peer)).isNotDone();
    }

    @Test
    void aPlaceInTheQueueIsForAWhile() {
        Outbound outbound =
                outbound(settings().inFlight(ConcurrencyLimit.fixed(1)).queue(2).maxWait(Duration.ofMillis(15)));
        Peer peer = new Peer();
        List<CompletableFuture<PeerAnswer>> calls = new ArrayList<>();
        for (int call = 0; call < 4; call++) {
            calls.add(outbound.callAsync(OutboundCall.ONCE, peer));
        }
        assertThat(refusal(calls.get(3)).reason()).isEqualTo(OutboundReason.IN_FLIGHT);
        time.play(10 * MILLI);
        assertThat(calls.get(0)).isDone();
        time.play(5 * MILLI);
        assertThat(refusal(calls.get(1)).reason()).isEqualTo(OutboundReason.IN_FLIGHT);
        time.play(5 * MILLI);
        assertThat(calls.get(2))
                .as("the gate serves the newest once the oldest is nearly too late")
                .isCompleted();
        assertThat(peer.sentAtMillis).containsExactly(0L, 10L);
        assertThat(outbound.figures().inFlight()).isZero();
    }

    @Test
    void aCallWithoutASlotUsesUpNothing() {
        Outbound outbound = outbound(settings()
                .pace(new OutboundSettings.Pace(RateLimit.parse("10/s"), OptionalInt.of(2), false))
                .inFlight(ConcurrencyLimit.fixed(1)));
        Peer peer = new Peer();
        CompletableFuture<PeerAnswer> first = outbound.callAsync(OutboundCall.ONCE, peer);
        for (int call = 0; call < 20; call++) {
            assertThat(refusal(outbound.callAsync(OutboundCall.ONCE, peer)).reason())
                    .isEqualTo(OutboundReason.IN_FLIGHT);
        }
        time.play(10 * MILLI);
        assertThat(first).isDone();
        CompletableFuture<PeerAnswer> second = outbound.callAsync(OutboundCall.ONCE, peer);
        assertThat(second).isNotDone();
        assertThat(peer.sentAtMillis).containsExactly(0L, 10L);
    }

    // Deadline

    @Test
    void nobodyWaitsBeyondItsDeadline() {
        Outbound outbound = outbound(settings()
                .pace(new OutboundSettings.Pace(RateLimit.parse("10/s"), OptionalInt.of(1), false))
                .maxWait(Duration.ofSeconds(1)));
        Peer peer = new Peer();
        CompletableFuture<PeerAnswer> first = outbound.callAsync(OutboundCall.ONCE, peer);
        OutboundCall hurried = OutboundCall.ONCE.timeLeft(Duration.ofMillis(99));
        OutboundRefusal refusal = refusal(outbound.callAsync(hurried, peer));
        assertThat(refusal.reason()).isEqualTo(OutboundReason.DEADLINE);
        assertThat(refusal.retryAfterNanos()).hasValue(100 * MILLI);
        assertThat(refusal(outbound.callAsync(OutboundCall.ONCE.timeLeft(Duration.ZERO), peer))
                        .reason())
                .isEqualTo(OutboundReason.DEADLINE);
        time.play(SECOND);
        assertThat(first).isDone();
        assertThat(peer.sentAtMillis).hasSize(1);
    }

    /** Ten seconds in all, three are gone when it is told to wait. */
    @Test
    void aRetryComesBeforeTheDeadlineOrNotAtAll() {
        for (long retryAfter : new long[] {8, 6}) {
            PlayedTime own = time;
            Outbound outbound = outbound(settings().retry(retries(3)));
            Peer peer = new Peer().answers(refused(retryAfter * SECOND), PeerAnswer.ACCEPTED);
            peer.latencyNanos = 3 * SECOND;
            long began = own.nanos();
            CompletableFuture<PeerAnswer> call =
                    outbound.callAsync(OutboundCall.REPEATABLE.timeLeft(Duration.ofSeconds(10)), peer);
            own.play(3 * SECOND);
            assertThat(call.isDone()).isEqualTo(retryAfter == 8);
            peer.latencyNanos = 0;
            own.play(7 * SECOND);
            assertThat(call).isCompleted();
            if (retryAfter == 6) {
                assertThat(peer.sentAtMillis.get(1) - began / MILLI).isBetween(9_000L, 9_999L);
            } else {
                assertThat(peer.sentAtMillis).hasSize(1);
            }
        }
    }

    // Retries

    @Test
    void aRefusedCallIsSentAgain() throws Exception {
        Outbound outbound = outbound(settings().retry(retries(3)));
        Peer peer = new Peer().answers(PeerAnswer.REFUSED, PeerAnswer.FAILED, PeerAnswer.ACCEPTED);
        CompletableFuture<PeerAnswer> call = outbound.callAsync(OutboundCall.REPEATABLE, peer);
        time.play(SECOND);
        assertThat(call.get()).isEqualTo(PeerAnswer.ACCEPTED);
        assertThat(peer.sentAtMillis).hasSize(3);
        assertThat(peer.announced).containsExactly(OptionalInt.of(1), OptionalInt.of(2), OptionalInt.of(3));
        assertThat(outbound.figures().retries()).isEqualTo(2);
        assertThat(outbound.figures().attempts()).isEqualTo(3);
    }

    @Test
    void theLastAnswerStands() throws Exception {
        Outbound outbound = outbound(settings().retry(retries(3)));
        Peer peer = new Peer().answers(PeerAnswer.REFUSED, PeerAnswer.REFUSED, PeerAnswer.REFUSED);
        CompletableFuture<PeerAnswer> call = outbound.callAsync(OutboundCall.REPEATABLE, peer);
        time.play(10 * SECOND);
        assertThat(call.get()).isEqualTo(PeerAnswer.REFUSED);
        assertThat(peer.sentAtMillis).hasSize(3);
    }

    @Test
    void whoIsToldThatSomebodyAboveTriesAgainDoesNot() {
        Outbound outbound = outbound(settings().retry(retries(3)));
        Peer peer = new Peer().answers(PeerAnswer.REFUSED);
        CompletableFuture<PeerAnswer> call = outbound.callAsync(OutboundCall.REPEATABLE.inherited(2), peer);
        time.play(10 * SECOND);
        assertThat(call).isCompleted();
        assertThat(peer.announced).containsExactly(OptionalInt.of(2));
    }

    @Test
    void nothingIsAnnouncedWhereNobodyTriesAgain() {
        Peer peer = new Peer();
        CompletableFuture<PeerAnswer> unused = outbound(settings()).callAsync(OutboundCall.REPEATABLE, peer);
        assertThat(peer.announced).containsExactly(OptionalInt.empty());
    }

    @Test
    void whatIsNotSafeIsSentOnce() {
        Outbound outbound = outbound(settings().retry(retries(3)));
        Peer peer = new Peer().answers(PeerAnswer.REFUSED, PeerAnswer.FAILED, PeerAnswer.UNSENT);
        CompletableFuture<PeerAnswer> once = outbound.callAsync(OutboundCall.ONCE, peer);
        time.play(10 * SECOND);
        CompletableFuture<PeerAnswer> failed = outbound.callAsync(OutboundCall.of(Repeat.UNSENT_ONLY), peer);
        time.play(10 * SECOND);
        assertThat(peer.sentAtMillis).hasSize(2);
        CompletableFuture<PeerAnswer> unsent = outbound.callAsync(OutboundCall.of(Repeat.UNSENT_ONLY), peer);
        time.play(10 * SECOND);
        assertThat(List.of(once, failed, unsent)).allMatch(CompletableFuture::isDone);
        assertThat(peer.sentAtMillis)
                .as("nothing of the third was sent, so it goes again")
                .hasSize(4);
    }

    /** With a budget of a tenth a thousand calls that are all refused are 1,100 sends; without, four thousand. */
    @Test
    void aBudgetBoundsTheLoad() {
        for (boolean budgeted : new boolean[] {true, false}) {
            OptionalInt budget = budgeted ? OptionalInt.of(1_000) : OptionalInt.empty();
            Outbound outbound = outbound(settings()
                    .retry(new OutboundSettings.Retry(
                            4, budget, Backoff.of(Duration.ofMillis(1), Duration.ofMillis(10)), Set.of())));
            Peer peer = new Peer();
            for (int call = 0; call < 1_000; call++) {
                peer.answers(PeerAnswer.REFUSED, PeerAnswer.REFUSED, PeerAnswer.REFUSED, PeerAnswer.REFUSED);
                CompletableFuture<PeerAnswer> unused = outbound.callAsync(OutboundCall.REPEATABLE, peer);
                time.play(4 * MILLI);
            }
            time.play(SECOND);
            if (budgeted) {
                assertThat(peer.sentAtMillis.size()).isBetween(1_050, 1_100);
            } else {
                assertThat(peer.sentAtMillis).hasSize(4_000);
            }
        }
    }

    @Test
    void retryAfterZeroIsNoHotLoop() {
        Outbound outbound = outbound(settings().retry(retries(6)));
        Peer peer = new Peer().answers(refused(0), refused(0), refused(0), refused(0), refused(0), PeerAnswer.ACCEPTED);
        peer.latencyNanos = 0;
        CompletableFuture<PeerAnswer> call = outbound.callAsync(OutboundCall.REPEATABLE, peer);
        time.play(30 * SECOND);
        assertThat(call).isCompleted();
        assertThat(peer.sentAtMillis).hasSize(6);
        assertThat(peer.sentAtMillis.get(5)).isGreaterThan(100);
    }

    // What is learnt

    @Test
    void aPauseIsSharedByAll() {
        Outbound outbound = outbound(settings());
        Peer peer = new Peer().answers(refused(20 * SECOND));
        CompletableFuture<PeerAnswer> first = outbound.callAsync(OutboundCall.ONCE, peer);
        time.play(10 * MILLI);
        assertThat(first).isCompleted();
        OutboundRefusal refusal = refusal(outbound.callAsync(OutboundCall.ONCE, peer));
        assertThat(refusal.reason()).isEqualTo(OutboundReason.PAUSED);
        assertThat(refusal.retryAfterNanos().orElseThrow()).isBetween(20 * SECOND, 22 * SECOND);
        assertThat(told).hasSize(1).first().asString().startsWith("payments out for 2");
        time.play(22 * SECOND);
        CompletableFuture<PeerAnswer> probe = outbound.callAsync(OutboundCall.ONCE, peer);
        assertThat(probe).as("one goes first").isNotDone();
        CompletableFuture<PeerAnswer> behind = outbound.callAsync(OutboundCall.ONCE, peer);
        assertThat(peer.sentAtMillis).hasSize(2);
        time.play(10 * MILLI);
        assertThat(probe).isCompleted();
        assertThat(peer.sentAtMillis).as("and the rest follows").hasSize(3);
        assertThat(told).hasSize(2).last().isEqualTo("payments back");
        time.play(10 * MILLI);
        assertThat(behind).isCompleted();
    }

    @Test
    void anAbsurdPauseIsCapped() {
        Outbound outbound = outbound(settings().maxPause(Duration.ofMinutes(1)));
        Peer peer = new Peer().answers(refused(Long.MAX_VALUE));
        CompletableFuture<PeerAnswer> first = outbound.callAsync(OutboundCall.ONCE, peer);
        time.play(10 * MILLI);
        assertThat(first).isCompleted();
        assertThat(refusal(outbound.callAsync(OutboundCall.ONCE, peer))
                        .retryAfterNanos()
                        .orElseThrow())
                .isLessThanOrEqualTo(121 * SECOND);
        time.play(121 * SECOND);
        assertThat(outbound.callAsync(OutboundCall.ONCE, peer)).isNotDone();
    }

    @Test
    void aPauseThatIsLearntWhileACallWaitsForItsTurnHoldsForItToo() {
        Outbound outbound = outbound(settings()
                .pace(new OutboundSettings.Pace(RateLimit.parse("10/s"), OptionalInt.of(1), false))
                .maxWait(Duration.ofMillis(500)));
        Peer peer = new Peer().answers(refused(20 * SECOND));
        CompletableFuture<PeerAnswer> first = outbound.callAsync(OutboundCall.ONCE, peer);
        CompletableFuture<PeerAnswer> second = outbound.callAsync(OutboundCall.ONCE, peer);
        time.play(SECOND);
        assertThat(first).isCompleted();
        assertThat(refusal(second).reason()).isEqualTo(OutboundReason.PAUSED);
        assertThat(peer.sentAtMillis).hasSize(1);
    }

    @Test
    void aBudgetThatIsToldIsNotExceeded() {
        Outbound outbound = outbound(settings().maxWait(Duration.ofMinutes(10)));
        Peer peer = new Peer();
        long windowNanos = 2 * SECOND;
        int[] used = new int[301];
        List<CompletableFuture<PeerAnswer>> calls = new ArrayList<>();
        for (int call = 0; call < 100; call++) {
            peer.answers.add(() -> {
                int window = (int) (time.nanos() / windowNanos);
                used[window]++;
                long reset = windowNanos - time.nanos() % windowNanos;
                return used[window] > 10 ? refused(reset) : accepted(10 - used[window], reset);
            });
        }
        for (int call = 0; call < 5; call++) {
            calls.add(outbound.callAsync(OutboundCall.ONCE, peer));
        }
        time.play(50 * MILLI);
        for (int call = 5; call < 100; call++) {
            calls.add(outbound.callAsync(OutboundCall.ONCE, peer));
        }
        time.play(30 * SECOND);
        assertThat(calls).allMatch(CompletableFuture::isDone);
        assertThat(outbound.figures().answers()).containsEntry(Kind.ACCEPTED, 100L);
        assertThat(time.nanos()).isLessThan(31 * SECOND);
        assertThat(peer.sentAtMillis.get(99)).as("ten windows are needed").isBetween(18_000L, 20_000L);
    }

    @Test
    void aLargerBudgetThanOursIsNotUsed() {
        Outbound outbound = outbound(settings()
                .pace(new OutboundSettings.Pace(RateLimit.parse("10/s"), OptionalInt.of(1), false))
                .maxWait(Duration.ofSeconds(1)));
        Peer peer = new Peer();
        for (int call = 0; call < 10; call++) {
            peer.answers(accepted(1_000_000, SECOND));
            CompletableFuture<PeerAnswer> unused = outbound.callAsync(OutboundCall.ONCE, peer);
        }
        time.play(450 * MILLI);
        assertThat(peer.sentAtMillis).containsExactly(0L, 100L, 200L, 300L, 400L);
        assertThat(outbound.figures().peer())
                .extracting(PeerAdvice.Limit::remaining)
                .containsExactly(1_000_000L);
    }

    /** One of a thousand clients each: they were refused together, and come back over a second. */
    @Test
    void aThousandClientsComeBackSpreadOut() {
        int[] tenths = new int[40];
        for (int client = 0; client < 1_000; client++) {
            PlayedTime own = new PlayedTime();
            Outbound outbound =
                    Outbound.of(settings().retry(retries(2)), own, own, new Random(client), OutboundListener.NONE);
            List<Long> sent = new ArrayList<>();
            CompletableFuture<Leave> unused = outbound.callAsync(OutboundCall.REPEATABLE, new AsyncOutboundWork<>() {
                @Override
                public CompletionStage<Leave> send(Sending attempt) {
                    sent.add(own.nanos());
                    return CompletableFuture.completedFuture(attempt);
                }

                @Override
                public PeerAnswer read(Leave result, Throwable failure) {
                    return sent.size() == 1 ? refused(SECOND) : PeerAnswer.ACCEPTED;
                }
            });
            own.play(4 * SECOND);
            assertThat(sent.get(1)).isGreaterThanOrEqualTo(SECOND);
            tenths[(int) (sent.get(1) * 10 / SECOND)]++;
        }
        assertThat(tenths).startsWith(new int[10]);
        for (int tenth = 10; tenth < 20; tenth++) {
            assertThat(tenths[tenth]).isBetween(60, 140);
        }
    }

    // Throttle

    @Test
    void whatTurnsNearlyEverythingAwayIsAskedLess() {
        Outbound outbound = outbound(settings().throttle(2));
        Peer peer = new Peer();
        int refusedHere = 0;
        for (int call = 0; call < 1_000; call++) {
            peer.answers(PeerAnswer.REFUSED);
            CompletableFuture<PeerAnswer> sent = outbound.callAsync(OutboundCall.ONCE, peer);
            if (sent.isCompletedExceptionally()) {
                peer.answers.removeLast();
                assertThat(refusal(sent).reason()).isEqualTo(OutboundReason.THROTTLED);
                refusedHere++;
            }
            time.play(20 * MILLI);
        }
        assertThat(peer.sentAtMillis.size()).isLessThan(20);
        assertThat(refusedHere).isEqualTo(1_000 - peer.sentAtMillis.size());
        assertThat(told).isNotEmpty().allMatch("payments out for 1000"::equals);
        assertThat(outbound.callAsync(OutboundCall.ONCE.criticality(Criticality.SHEDDABLE), peer))
                .as("others were not turned away")
                .isNotCompletedExceptionally();
        assertThat(outbound.figures().throttle().get(Criticality.CRITICAL)).isGreaterThan(0.98);
    }

    @Test
    void whatIsNotSentForWantOfASlotSaysNothingOfTheDependency() {
        Outbound outbound = outbound(settings().throttle(2).inFlight(ConcurrencyLimit.fixed(3)));
        Peer peer = new Peer();
        for (int call = 0; call < 3; call++) {
            CompletableFuture<PeerAnswer> unused = outbound.callAsync(OutboundCall.ONCE, peer);
            time.play(10 * MILLI);
        }
        for (int call = 0; call < 103; call++) {
            CompletableFuture<PeerAnswer> unused = outbound.callAsync(OutboundCall.ONCE, peer);
        }
        assertThat(outbound.figures().refusals()).containsEntry(OutboundReason.IN_FLIGHT, 100L);
        assertThat(outbound.figures().throttle()).containsEntry(Criticality.CRITICAL, 0.0);
    }

    // Hedges

    @Test
    void aSecondSendJoinsASlowOne() throws Exception {
        Outbound outbound = outbound(settings().retry(retries(3)).hedge(Duration.ofMillis(50)));
        Peer peer = new Peer();
        peer.latencyNanos = SECOND;
        CompletableFuture<PeerAnswer> call = outbound.callAsync(OutboundCall.REPEATABLE, peer);
        time.play(40 * MILLI);
        peer.latencyNanos = 20 * MILLI;
        time.play(40 * MILLI);
        assertThat(call.get()).isEqualTo(PeerAnswer.ACCEPTED);
        assertThat(peer.sentAtMillis).containsExactly(0L, 50L);
        assertThat(peer.underWay.get(0)).as("the slow one is cancelled").isCancelled();
        OutboundFigures figures = outbound.figures();
        assertThat(figures.hedges()).isEqualTo(1);
        assertThat(figures.inFlight()).isZero();
        assertThat(figures.retriesLeft()).as("out of the retries' budget").hasValue(9);
    }

    @Test
    void whatIsNotSafeIsNotHedged() {
        Outbound outbound = outbound(settings().retry(retries(3)).hedge(Duration.ofMillis(5)));
        Peer peer = new Peer();
        CompletableFuture<PeerAnswer> call = outbound.callAsync(OutboundCall.of(Repeat.UNSENT_ONLY), peer);
        time.play(SECOND);
        assertThat(call).isCompleted();
        assertThat(peer.sentAtMillis).hasSize(1);
    }

    @Test
    void aReaderThatThrowsHoldsNothing() {
        Outbound outbound = outbound(settings().inFlight(ConcurrencyLimit.fixed(1)));
        CompletableFuture<String> call = outbound.callAsync(OutboundCall.ONCE, new AsyncOutboundWork<String>() {
            @Override
            public CompletionStage<String> send(Sending attempt) {
                return CompletableFuture.completedFuture("x");
            }

            @Override
            public PeerAnswer read(String result, Throwable failure) {
                throw new IllegalStateException("defect");
            }
        });
        assertThatThrownBy(call::get).hasRootCauseMessage("defect");
        assertThat(outbound.figures().inFlight()).isZero();
    }

    // Giving back

    @Test
    void whoLeavesGivesEverythingBack() {
        Outbound outbound = outbound(settings()
                .pace(new OutboundSettings.Pace(RateLimit.parse("10/s"), OptionalInt.of(1), false))
                .inFlight(ConcurrencyLimit.fixed(1))
                .queue(5)
                .maxWait(Duration.ofSeconds(10)));
        Peer peer = new Peer();
        peer.latencyNanos = SECOND;
        CompletableFuture<PeerAnswer> first = outbound.callAsync(OutboundCall.ONCE, peer);
        CompletableFuture<PeerAnswer> waitsForTurn = outbound.callAsync(OutboundCall.ONCE, peer);
        assertThat(waitsForTurn.cancel(true)).isTrue();
        CompletableFuture<PeerAnswer> waitsForSlot = outbound.callAsync(OutboundCall.ONCE, peer);
        time.play(500 * MILLI);
        assertThat(waitsForSlot.cancel(true)).isTrue();
        assertThat(first.cancel(true)).isTrue();
        assertThat(peer.underWay.get(0)).isCancelled();
        assertThat(outbound.figures().inFlight()).isZero();
        CompletableFuture<PeerAnswer> last = outbound.callAsync(OutboundCall.ONCE, peer);
        assertThat(peer.sentAtMillis).as("turn and slot are free").containsExactly(0L, 500L);
        assertThatThrownBy(first::get).isInstanceOf(CancellationException.class);
        assertThat(last).isNotDone();
    }

    @Test
    void leaveThatIsNotUsedIsAsIfNobodyHadAsked() {
        Outbound outbound =
                outbound(settings().pace(new OutboundSettings.Pace(RateLimit.parse("1/s"), OptionalInt.of(1), false)));
        for (int round = 0; round < 5; round++) {
            Leave leave = outbound.askAsync(OutboundCall.ONCE).join();
            assertThat(leave).isInstanceOf(Sending.class);
            assertThat(((Sending) leave).unsent()).isTrue();
            assertThat(((Sending) leave).unsent()).isFalse();
            assertThat(((Sending) leave).answered(PeerAnswer.ACCEPTED)).isFalse();
        }
        assertThat(outbound.figures().attempts()).isZero();
    }

    @Test
    void aFailureIsTheCalls() {
        Outbound outbound = outbound(settings());
        assertThatThrownBy(() -> outbound.call(() -> {
                    throw new ConnectException("no");
                }))
                .isInstanceOf(ConnectException.class);
        assertThat(outbound.figures().answers()).containsEntry(Kind.UNSENT, 1L);
        assertThat(outbound.figures().inFlight()).isZero();
    }

    @Test
    void aChangeKeepsWhatIsUnderWay() {
        Outbound outbound = outbound(settings().inFlight(ConcurrencyLimit.fixed(2)));
        Peer peer = new Peer();
        CompletableFuture<PeerAnswer> first = outbound.callAsync(OutboundCall.ONCE, peer);
        outbound.change(settings().inFlight(ConcurrencyLimit.fixed(1)));
        assertThat(refusal(outbound.callAsync(OutboundCall.ONCE, peer)).reason())
                .isEqualTo(OutboundReason.IN_FLIGHT);
        time.play(10 * MILLI);
        assertThat(first).isCompleted();
        assertThat(outbound.callAsync(OutboundCall.ONCE, peer)).isNotDone();
    }

    @Test
    void readsFailuresOfEveryKind() {
        assertThat(AnswerReader.ofFailure(null)).isEqualTo(PeerAnswer.ACCEPTED);
        assertThat(AnswerReader.ofFailure(new CompletionException(new ConnectException())))
                .isEqualTo(PeerAnswer.UNSENT);
        assertThat(AnswerReader.ofFailure(new RejectedExecutionException())).isEqualTo(PeerAnswer.REFUSED);
        assertThat(AnswerReader.ofFailure(new TimeoutException())).isEqualTo(PeerAnswer.FAILED);
        assertThat(AnswerReader.ofFailure(new UncheckedIOException(new IOException())))
                .isEqualTo(PeerAnswer.FAILED);
        assertThat(AnswerReader.ofFailure(new CancellationException())).isEqualTo(PeerAnswer.IGNORED);
        assertThat(AnswerReader.ofFailure(new IllegalStateException())).isEqualTo(PeerAnswer.ACCEPTED);
        assertThat(Optional.of(Kind.UNSENT.word())).contains("unsent");
    }
}
