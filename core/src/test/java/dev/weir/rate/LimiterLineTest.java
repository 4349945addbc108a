package dev.weir.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FakeTicker;
import dev.weir.LightThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Those who wait: in order, in time, interruptible, and never in vain. */
@Timeout(60)
final class LimiterLineTest {

    private static final long MS = 1_000_000L;

    private final FakeTicker ticker = new FakeTicker(-3 * MS);
    private final long zero = ticker.nanos();

    private RateLimiter limiter(RateLimit limit) {
        return RateLimiter.of(limit, ticker);
    }

    /** Starts a thread that waits, and returns once it is parked. */
    private Thread parked(ThreadFactory threads, int parkedThen, Runnable work) {
        Thread thread = threads.newThread(work);
        thread.start();
        ticker.awaitParked(parkedThen);
        return thread;
    }

    private static Runnable acquiring(RateLimiter limiter, Runnable then) {
        return () -> {
            try {
                limiter.acquire();
                then.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private static void join(Iterable<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void hundredInOrder(ThreadFactory threads) throws InterruptedException {
        RateLimiter limiter = limiter(RateLimit.parse("300/m").burst(1));
        ConcurrentLinkedQueue<String> served = new ConcurrentLinkedQueue<>();
        List<Thread> waiters = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        limiter.acquire();
        for (int k = 1; k < 100; k++) {
            String name = "waiter " + k;
            expected.add(name + " at " + 200 * k);
            waiters.add(parked(
                    threads, k, acquiring(limiter, () -> served.add(name + " at " + (ticker.nanos() - zero) / MS))));
        }
        for (int k = 1; k < 100; k++) {
            ticker.advance(200 * MS - 1);
            ticker.awaitParked(100 - k);
            assertThat(served).hasSize(k - 1);
            ticker.advance(1);
            waiters.get(k - 1).join();
        }
        assertThat(served).containsExactlyElementsOf(expected);
    }

    @Test
    void aHundredAreServedInTheOrderInWhichTheyCame() throws InterruptedException {
        hundredInOrder(Thread::new);
    }

    @Test
    void andSoAreVirtualThreads() throws Exception {
        hundredInOrder(LightThreads.factory());
    }

    @Test
    void whoIsInterruptedLeavesAndThoseBehindMoveUp() throws InterruptedException {
        RateLimiter limiter = limiter(RateLimit.parse("1/s"));
        limiter.acquire();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread first = parked(Thread::new, 1, () -> {
            try {
                limiter.acquire();
            } catch (InterruptedException e) {
                thrown.set(e);
            }
        });
        AtomicReference<Long> servedAt = new AtomicReference<>();
        Thread second = parked(Thread::new, 2, acquiring(limiter, () -> servedAt.set((ticker.nanos() - zero) / MS)));
        ticker.advance(300 * MS);
        ticker.awaitParked(2);
        first.interrupt();
        first.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        ticker.advance(100 * MS);
        ticker.awaitParked(1);
        // The second has the first's start now; who asks is behind it.
        assertThat(limiter.peek(1)).isEqualTo(1600 * MS);
        ticker.advance(600 * MS);
        second.join();
        assertThat(servedAt.get()).isEqualTo(1000);
    }

    @Test
    void aSlotGivenBackByAnInterruptGoesToTheNextWhoAsks() throws InterruptedException {
        RateLimiter limiter = limiter(RateLimit.parse("1/s"));
        limiter.acquire();
        Thread waiter = parked(Thread::new, 1, acquiring(limiter, () -> {}));
        ticker.advance(300 * MS);
        ticker.awaitParked(1);
        waiter.interrupt();
        waiter.join();
        ticker.advance(100 * MS);
        assertThat(limiter.charge(1)).isEqualTo(600 * MS);
        assertThat(limiter.reserve(1).waitNanos()).isEqualTo(600 * MS);
    }

    @Test
    void whoComesInterruptedDoesNotEvenAsk() {
        RateLimiter limiter = limiter(RateLimit.parse("1/s"));
        Thread.currentThread().interrupt();
        assertThatThrownBy(limiter::acquire).isInstanceOf(InterruptedException.class);
        assertThat(limiter.standing().remaining()).isEqualTo(1);
    }

    @Test
    void aWaitAsLongAsAllowedIsWaitedAndOneLongerIsNot() throws InterruptedException {
        RateLimiter limiter = limiter(RateLimit.parse("1/s"));
        assertThat(limiter.tryAcquire(1, Duration.ofMillis(999))).isTrue();
        assertThat(limiter.tryAcquire(1, Duration.ofMillis(999))).isFalse();
        AtomicInteger served = new AtomicInteger();
        for (int k = 1; k < 4; k++) {
            Thread waiter = parked(Thread::new, 1, () -> {
                try {
                    served.addAndGet(limiter.tryAcquire(1, Duration.ofSeconds(1)) ? 1 : 0);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            ticker.advance(1000 * MS);
            waiter.join();
            assertThat(served).hasValue(k);
        }
    }

    @Test
    void whoCannotBeServedInTimeIsNotParked() throws InterruptedException {
        RateLimiter limiter = limiter(RateLimit.parse("3/10s").algorithm(Algorithm.SLIDING_LOG));
        assertThat(limiter.tryAcquire(3)).isTrue();
        assertThat(limiter.tryAcquire(1, Duration.ofSeconds(5))).isFalse();
        assertThat(limiter.peek(1)).isEqualTo(10_000 * MS);
        assertThat(limiter.tryAcquire(4, Duration.ofHours(1))).isFalse();
        assertThatThrownBy(() -> limiter.acquire(4)).hasMessageContaining("cost 4");
        assertThat(ticker.nanos()).isEqualTo(zero);
        ticker.awaitParked(0);
    }

    @Test
    void fiftyWokenTogetherTakeFiveAPeriod() throws InterruptedException {
        FakeTicker epoch = new FakeTicker(0);
        RateLimiter limiter = RateLimiter.of(RateLimit.parse("5/100ms").algorithm(Algorithm.FIXED_WINDOW), epoch);
        AtomicInteger served = new AtomicInteger();
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Thread waiter = new Thread(acquiring(limiter, served::incrementAndGet));
            waiter.start();
            waiters.add(waiter);
        }
        for (int period = 1; period <= 10; period++) {
            epoch.awaitParked(50 - 5 * period);
            while (served.get() < 5 * period) {
                Thread.onSpinWait();
            }
            assertThat(served).hasValue(5 * period);
            epoch.advance(100 * MS);
        }
        join(waiters);
        assertThat(served).hasValue(50);
    }

    @Test
    void whoDoesNotWaitPassesNobodyWhoDoes() throws InterruptedException {
        RateLimiter limiter = limiter(RateLimit.parse("10/s").burst(10));
        assertThat(limiter.tryAcquire(10)).isTrue();
        Thread waiter = parked(Thread::new, 1, () -> {
            try {
                limiter.acquire(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        ticker.advance(500 * MS);
        ticker.awaitParked(1);
        // Five are there, but they are the waiter's.
        assertThat(limiter.charge(1)).isEqualTo(600 * MS);
        assertThat(limiter.charge(0)).isEqualTo(RateLimiter.NOW);
        ticker.advance(500 * MS);
        waiter.join();
        assertThat(limiter.charge(1)).isEqualTo(100 * MS);
    }

    @Test
    void idleBringsNoMoreThanTheBurst() {
        for (int burst : new int[] {1, 2}) {
            RateLimiter limiter = limiter(RateLimit.parse("1/s").burst(burst));
            limiter.tryAcquire();
            ticker.advance(30_000 * MS);
            for (int k = 0; k < 25; k++) {
                assertThat(limiter.reserve(1).waitNanos()).isEqualTo(Math.max(0L, k + 1 - burst) * 1000 * MS);
            }
            ticker.advance(100_000 * MS);
        }
    }

    @Test
    void aPromiseThatIsCancelledLetsThoseBehindMoveUp() throws InterruptedException {
        RateLimiter limiter = limiter(RateLimit.parse("1/s"));
        limiter.acquire();
        Reservation promised = limiter.reserve(1);
        assertThat(promised.waitNanos()).isEqualTo(1000 * MS);
        AtomicReference<Long> servedAt = new AtomicReference<>();
        Thread waiter = parked(Thread::new, 1, acquiring(limiter, () -> servedAt.set((ticker.nanos() - zero) / MS)));
        assertThat(limiter.peek(1)).isEqualTo(3000 * MS);
        assertThat(promised.cancel()).isTrue();
        assertThat(promised.cancel()).isFalse();
        assertThat(promised.settle(1)).isFalse();
        assertThat(limiter.peek(1)).isEqualTo(2000 * MS);
        ticker.advance(1000 * MS);
        waiter.join();
        assertThat(servedAt.get()).isEqualTo(1000);
    }

    @Test
    void aPromiseThatIsSettledBeforeItsStartMovesNobodyBack() throws InterruptedException {
        RateLimiter limiter = limiter(RateLimit.parse("1/s").burst(5));
        assertThat(limiter.tryAcquire(5)).isTrue();
        AtomicReference<Long> servedAt = new AtomicReference<>();
        Thread waiter = parked(Thread::new, 1, acquiring(limiter, () -> servedAt.set((ticker.nanos() - zero) / MS)));
        Reservation promised = limiter.reserve(3);
        assertThat(promised.waitNanos()).isEqualTo(4000 * MS);
        assertThat(limiter.peek(1)).isEqualTo(5000 * MS);
        assertThat(promised.settle(1)).isTrue();
        // The waiter still starts at 1 s, the promise at 4 s.
        ticker.advance(1000 * MS);
        waiter.join();
        assertThat(servedAt.get()).isEqualTo(1000);
        ticker.advance(3000 * MS);
        assertThat(limiter.peek(1)).isEqualTo(RateLimiter.NOW);
        assertThat(limiter.standing().remaining()).isEqualTo(2);
    }

    @Test
    void settlingCorrectsTheChargeOnce() {
        RateLimiter limiter = limiter(RateLimit.parse("10/m"));
        Reservation less = limiter.reserve(6);
        assertThat(less.settle(2)).isTrue();
        assertThat(less.settle(1)).isFalse();
        assertThat(limiter.standing().remaining()).isEqualTo(8);
        Reservation more = limiter.reserve(1);
        assertThat(more.settle(10)).isTrue();
        assertThat(limiter.standing().remaining()).isZero();
        assertThat(limiter.peek(1)).isEqualTo(18_000 * MS);
        // Debt ends at one capacity.
        limiter.reserve(0).settle(1_000_000);
        assertThat(limiter.peek(1)).isEqualTo(66_000 * MS);
    }

    @Test
    void costZeroNeverWaits() {
        RateLimiter limiter = limiter(RateLimit.parse("1/s").depth(5));
        assertThat(limiter.reserve(3).granted()).isTrue();
        assertThat(limiter.charge(0)).isEqualTo(RateLimiter.NOW);
        assertThat(limiter.reserve(0).waitNanos()).isZero();
        RateLimiter closed = limiter(RateLimit.parse("1/s").burst(0));
        for (int i = 0; i < 1000; i++) {
            assertThat(closed.charge(1)).isEqualTo(RateLimiter.NEVER);
            assertThat(closed.charge(0)).isEqualTo(RateLimiter.NOW);
        }
        assertThatThrownBy(() -> limiter.charge(-1)).hasMessageContaining("-1");
    }

    @Test
    void aQueueAnswersTheSameWithAndWithoutALine() throws InterruptedException {
        RateLimiter limiter = limiter(RateLimit.parse("1/s").depth(1));
        assertThat(limiter.reserve(1).waitNanos()).isZero();
        assertThat(limiter.reserve(1).waitNanos()).isEqualTo(1000 * MS);
        assertThat(limiter.reserve(1).granted()).isFalse();
        assertThat(limiter.charge(1)).isEqualTo(2000 * MS);
        Thread waiter = parked(Thread::new, 1, acquiring(limiter, () -> {}));
        // It waits a second for a place and one more for its turn; who must start at once needs a third.
        assertThat(limiter.charge(1)).isEqualTo(3000 * MS);
        ticker.advance(1000 * MS);
        ticker.awaitParked(1);
        assertThat(limiter.charge(1)).isEqualTo(2000 * MS);
        ticker.advance(1000 * MS);
        waiter.join();
        assertThat(limiter.charge(1)).isEqualTo(1000 * MS);
    }
}
