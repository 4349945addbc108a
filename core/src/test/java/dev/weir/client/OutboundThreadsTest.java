package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Delay;
import dev.weir.Ticker;
import dev.weir.load.ConcurrencyLimit;
import dev.weir.rate.RateLimit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Races between those who ask, answer and leave: in flight never exceeds the cap, and in the end nothing is held. */
class OutboundThreadsTest {

    private static final int THREADS = 8;

    private static void inThreads(int threads, Runnable task) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> all = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            Thread started = new Thread(() -> {
                try {
                    task.run();
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            });
            started.start();
            all.add(started);
        }
        for (Thread thread : all) {
            thread.join();
        }
        assertThat(failure.get()).isNull();
    }

    @Test
    void neverMoreInFlightThanAllowedAndNothingHeldInTheEnd() throws Exception {
        Outbound outbound = Outbound.of(OutboundSettings.of("crowded")
                .inFlight(ConcurrencyLimit.fixed(3))
                .queue(4)
                .maxWait(Duration.ofMillis(2))
                .rate(RateLimit.parse("1000000/s"))
                .retry(new OutboundSettings.Retry(
                        3, OptionalInt.of(5_000), Backoff.of(Duration.ofNanos(1), Duration.ofMillis(1)), Set.of()))
                .throttle(50));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        inThreads(THREADS, () -> {
            for (int call = 0; call < 2_000; call++) {
                int kind = ThreadLocalRandom.current().nextInt(10);
                try {
                    String unused = outbound.call(OutboundCall.REPEATABLE, new OutboundWork<>() {
                        @Override
                        public String send(Sending attempt) throws Exception {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            Thread.onSpinWait();
                            inside.decrementAndGet();
                            if (kind == 0) {
                                throw new IOException("broken");
                            }
                            return "fine";
                        }

                        @Override
                        public PeerAnswer read(String result, Throwable failure) {
                            return failure != null
                                    ? AnswerReader.ofFailure(failure)
                                    : kind == 1
                                            ? new PeerAnswer(PeerAnswer.Kind.REFUSED, PeerAdvice.pause(1_000))
                                            : kind == 2
                                                    ? new PeerAnswer(
                                                            PeerAnswer.Kind.ACCEPTED,
                                                            PeerAdvice.left(PeerAdvice.Limit.of(3, 10_000)))
                                                    : PeerAnswer.ACCEPTED;
                        }
                    });
                } catch (IOException e) {
                    // refused here, or broken there
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        assertThat(most.get()).isBetween(1, 3);
        assertThat(inside.get()).isZero();
        assertThat(outbound.figures().inFlight()).isZero();
        OutboundFigures figures = outbound.figures();
        assertThat(figures.answers().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(figures.attempts());
    }

    @Test
    void askingThatIsCancelledWhileItIsAnsweredHoldsNothing() throws Exception {
        Outbound outbound = Outbound.of(OutboundSettings.of("left")
                .inFlight(ConcurrencyLimit.fixed(2))
                .queue(100)
                .maxWait(Duration.ofSeconds(20)));
        inThreads(THREADS, () -> {
            Random random = new Random(Thread.currentThread().hashCode());
            for (int round = 0; round < 3_000; round++) {
                CompletableFuture<Leave> asked = outbound.askAsync(OutboundCall.ONCE);
                if (random.nextInt(3) == 0) {
                    asked.cancel(false);
                }
                CompletableFuture<Void> unused = asked.handle((leave, failure) -> {
                    if (leave instanceof Sending sending) {
                        assertThat(sending.answered(PeerAnswer.ACCEPTED)).isTrue();
                    }
                    return null;
                });
            }
        });
        assertThat(outbound.figures().inFlight()).isZero();
        Leave one = outbound.ask(OutboundCall.ONCE);
        Leave two = outbound.ask(OutboundCall.ONCE);
        assertThat(one).isInstanceOf(Sending.class);
        assertThat(two).isInstanceOf(Sending.class);
    }

    @Test
    void anInterruptWhileWaitingGivesEverythingBack() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        Delay never = (nanos, task) -> waits.countDown();
        Outbound outbound = Outbound.of(
                OutboundSettings.of("slow")
                        .pace(new OutboundSettings.Pace(RateLimit.parse("1/h"), OptionalInt.of(1), false))
                        .inFlight(ConcurrencyLimit.fixed(1))
                        .maxWait(Duration.ofHours(5)),
                new StandingTicker(),
                never,
                new Random(1),
                OutboundListener.NONE);
        Sending first = (Sending) outbound.ask(OutboundCall.ONCE);
        first.answered(PeerAnswer.ACCEPTED);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                String unused = outbound.call(() -> "never");
            } catch (Exception e) {
                thrown.set(e);
            }
        });
        waiting.start();
        waits.await();
        waiting.interrupt();
        waiting.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(outbound.figures().inFlight()).isZero();
        CompletableFuture<Leave> again = outbound.askAsync(OutboundCall.ONCE);
        assertThat(again).as("it waits where the other waited").isNotDone();
        again.cancel(false);
    }

    /** A clock that stands still. */
    private static final class StandingTicker implements Ticker {
        @Override
        public long nanos() {
            return 0;
        }
    }

    @Test
    void theEndOfAPauseLetsOneGoFirst() throws Exception {
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger early = new AtomicInteger();
        AtomicInteger sends = new AtomicInteger();
        Outbound outbound = Outbound.of(OutboundSettings.of("paused").maxWait(Duration.ofSeconds(20)));
        Sending refused = (Sending) outbound.ask(OutboundCall.ONCE);
        refused.answered(new PeerAnswer(PeerAnswer.Kind.REFUSED, PeerAdvice.pause(20_000_000)));
        CountDownLatch probed = new CountDownLatch(1);
        inThreads(THREADS, () -> {
            try {
                int unused = outbound.call(() -> {
                    int number = sends.incrementAndGet();
                    int inside = underWay.incrementAndGet();
                    if (number == 1) {
                        early.set(inside);
                        probed.countDown();
                    } else {
                        assertThat(probed.getCount())
                                .as("the probe is answered before others leave")
                                .isZero();
                    }
                    underWay.decrementAndGet();
                    return number;
                });
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(early.get()).isEqualTo(1);
        assertThat(sends.get()).isEqualTo(THREADS);
    }
}
