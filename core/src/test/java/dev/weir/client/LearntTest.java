package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.client.PeerAnswer.Kind;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LearntTest {

    private static final long SECOND = 1_000_000_000L;

    private final Learnt learnt = new Learnt(300 * SECOND);

    private static PeerAnswer told(long left, long seconds) {
        return new PeerAnswer(Kind.ACCEPTED, PeerAdvice.left(PeerAdvice.Limit.of(left, seconds * SECOND)));
    }

    private long send(long nowNanos) {
        return learnt.trySend(nowNanos).orElseThrow();
    }

    @Test
    void nothingIsKnownAtFirst() {
        for (int send = 0; send < 100; send++) {
            assertThat(learnt.trySend(0)).isPresent();
        }
        assertThat(learnt.limits(0)).isEmpty();
    }

    @Test
    void whatIsLeftIsNotExceeded() {
        learnt.learn(send(0), told(2, 5), 0, 0);
        assertThat(learnt.trySend(0)).isPresent();
        assertThat(learnt.trySend(0)).isPresent();
        assertThat(learnt.trySend(0)).isEmpty();
        assertThat(learnt.peerWait(0)).isEqualTo(new Learnt.Wait(5 * SECOND, false));
    }

    @Test
    void ofAnswersThatOvertakeEachOtherTheLeastCounts() {
        long first = send(0);
        long second = send(0);
        long third = send(0);
        learnt.learn(third, told(9, 5), 0, 0);
        learnt.learn(first, told(7, 5), 0, 0);
        learnt.learn(second, told(8, 5), 0, 0);
        assertThat(learnt.limits(0)).extracting(PeerAdvice.Limit::remaining).containsExactly(7L);
    }

    @Test
    void whatWasAskedForLaterIsNewer() {
        learnt.learn(send(0), told(1, 5), 0, 0);
        learnt.learn(send(0), told(40, 5), 0, 0);
        assertThat(learnt.limits(0)).extracting(PeerAdvice.Limit::remaining).containsExactly(40L);
    }

    @Test
    void afterAResetOneGoesFirst() {
        learnt.learn(send(0), told(0, 5), 0, 0);
        assertThat(learnt.peerWait(4 * SECOND)).isEqualTo(new Learnt.Wait(SECOND, true));
        long probe = send(5 * SECOND);
        assertThat(learnt.trySend(5 * SECOND)).isEmpty();
        assertThat(learnt.peerWait(5 * SECOND).known()).isFalse();
        assertThat(learnt.learn(probe, told(9, 5), 0, 6 * SECOND)).isTrue();
        assertThat(learnt.trySend(6 * SECOND)).isPresent();
    }

    @Test
    void aProbeThatIsNotSentLetsAnotherGo() {
        learnt.learn(send(0), told(0, 5), 0, 0);
        long probe = send(5 * SECOND);
        assertThat(learnt.giveBack(probe)).isTrue();
        assertThat(learnt.trySend(5 * SECOND)).isPresent();
    }

    @Test
    void aProbeThatIsRefusedIsFollowedByAnother() {
        learnt.learn(send(0), told(0, 5), 0, 0);
        learnt.learn(send(5 * SECOND), PeerAnswer.REFUSED, 0, 5 * SECOND);
        long second = send(5 * SECOND);
        assertThat(learnt.trySend(5 * SECOND)).isEmpty();
        learnt.learn(second, PeerAnswer.ACCEPTED, 0, 5 * SECOND);
        assertThat(learnt.trySend(5 * SECOND)).isPresent();
        assertThat(learnt.trySend(5 * SECOND)).isPresent();
    }

    @Test
    void aProbeWithoutAnAnswerIsNotWaitedForForEver() {
        learnt.learn(send(0), told(0, 5), 0, 0);
        long lost = send(5 * SECOND);
        assertThat(lost).isPositive();
        assertThat(learnt.trySend(305 * SECOND)).isEmpty();
        assertThat(learnt.trySend(306 * SECOND)).isPresent();
    }

    @Test
    void theLongerOfTwoPausesHolds() {
        long first = send(0);
        long second = send(0);
        learnt.learn(first, new PeerAnswer(Kind.REFUSED, PeerAdvice.pause(9 * SECOND)), 0, 0);
        learnt.learn(second, new PeerAnswer(Kind.REFUSED, PeerAdvice.pause(2 * SECOND)), 0, SECOND);
        assertThat(learnt.pausedNanos(SECOND)).isEqualTo(8 * SECOND);
        assertThat(learnt.isSincePause(second)).isFalse();
    }

    @Test
    void limitsThatSayNoResetAndTooManyAreNotKept() {
        PeerAdvice.Limit without =
                new PeerAdvice.Limit(Optional.of("slots"), 0, OptionalLong.empty(), Optional.empty());
        learnt.learn(send(0), new PeerAnswer(Kind.ACCEPTED, PeerAdvice.left(without)), 0, 0);
        assertThat(learnt.limits(0)).isEmpty();
        for (int name = 0; name < 100; name++) {
            PeerAdvice.Limit limit = new PeerAdvice.Limit(
                    Optional.of("limit " + name), 5_000, OptionalLong.of(SECOND), Optional.empty());
            learnt.learn(send(0), new PeerAnswer(Kind.ACCEPTED, PeerAdvice.left(limit)), 0, 0);
        }
        assertThat(learnt.limits(0)).hasSize(16);
    }

    @Test
    void aNewerAnswerIsNoMoreThanOneThatWasHeardWhileItWasOnItsWay() {
        long ofTheWindowBefore = send(0);
        long early = send(0);
        learnt.learn(ofTheWindowBefore, told(2, 5), 0, 0);
        long late = send(0);
        learnt.learn(early, told(7, 5), 0, 0); // was served after the late one
        learnt.learn(late, told(8, 5), 0, 0);

        for (int more = 0; more < 7; more++) {
            send(0);
        }
        assertThat(learnt.trySend(0)).isEmpty();
    }

    /**
     * A server with a fixed window, which is reached and answers after times that are drawn, so that everything overtakes everything: it
     * refuses nobody, and each window is used up.
     */
    @Test
    void aServerThatTellsIsNeverAskedForMore() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            Played played = new Played(random);
            played.play();
            assertThat(played.refused).as("seed %d, round %d", seed, round).isZero();
            assertThat(played.served).as("seed %d, round %d", seed, round).isGreaterThan(3 * played.limit);
        }
    }

    private static final class Played {
        private final Random random;
        private final PlayedTime time = new PlayedTime();
        private final Learnt learnt = new Learnt(300 * SECOND);
        private final int callers;
        private final int limit;
        private final long windowNanos;
        private long window = -1;
        private int used;
        private int refused;
        private int served;

        Played(Random random) {
            this.random = random;
            callers = 1 + random.nextInt(8);
            limit = callers + random.nextInt(20);
            windowNanos = (1 + random.nextInt(5)) * SECOND;
        }

        void play() {
            for (int caller = 0; caller < callers; caller++) {
                call();
            }
            time.play(10 * windowNanos);
        }

        private void call() {
            OptionalLong send = learnt.trySend(time.nanos());
            if (send.isEmpty()) {
                time.after(1_000_000 + random.nextInt(10_000_000), this::call);
                return;
            }
            time.after(random.nextInt(100_000_000), () -> serve(send.getAsLong()));
        }

        private void serve(long send) {
            long now = time.nanos() / windowNanos;
            used = now == window ? used + 1 : 1;
            window = now;
            boolean refuses = used > limit;
            refused += refuses ? 1 : 0;
            served += refuses ? 0 : 1;
            long leftNanos = windowNanos - time.nanos() % windowNanos;
            PeerAnswer answer = told(Math.max(0, limit - used), (leftNanos + SECOND - 1) / SECOND);
            time.after(random.nextInt(100_000_000), () -> {
                learnt.learn(send, answer, 0, time.nanos());
                call();
            });
        }
    }
}
