package dev.weir.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a dependency's answers have taught all who call it: until when it wants nothing, and what it says is left.
 *
 * <p>How it is designed, and why: a budget that a server tells is a number that was true when it answered. Answers overtake each other, so of
 * those whose sends left at the same time the least counts; one whose send left after another answer was heard is newer, and counts instead,
 * unless one that was heard while it was on its way said less: that one may have been answered after it.
 * Sends without an answer may not be in the number yet, so they are taken off. When the reset has passed nobody knows what is there ("the client MUST NOT assume that all its service limit will be fully restored"), so that one send
 * goes first, the <em>probe</em>, and its answer says how to go on. The end of a pause is the same: one goes first, not everybody.
 *
 * <p>Thread safe; time is an argument. Numbers of sends rise, and tell which came first.
 */
final class Learnt {

    /** What is said of the wait while a probe is under way: nobody knows how long that is. */
    private static final Wait UNTIL_ANSWERED = new Wait(1_000_000_000L, false);

    /**
     * How long nothing may be sent.
     *
     * @param nanos so long; 0 for no wait
     * @param known whether that is known; otherwise it ends with an answer, and this is a guess
     */
    record Wait(long nanos, boolean known) {
        static final Wait NONE = new Wait(0, true);

        /** So long, as far as that is known. */
        long knownNanos() {
            return known ? nanos : 0;
        }
    }

    /** More limits than this are not remembered: a server has few. */
    private static final int MOST_LIMITS = 16;
    /** The pause stands among the limits under a name that none can have. */
    private static final Key PAUSE = new Key(Optional.empty(), Optional.of("pause"));

    private record Key(Optional<String> name, Optional<String> partitionKey) {}

    /** What is left, or was, until the reset. */
    private static final class Budget {
        /** What an answer said was left. */
        long left;

        long resetAtNanos;
        /** The last send when that was heard: answers to later ones are newer. */
        long heardAt;
        /** What was heard since and did not count, as long as a newer answer may have been on its way; less stands before more. */
        final Deque<Heard> passedOver = new ArrayDeque<>(0);

        /** The send that finds out what is there after the reset; 0 for none. */
        long probe;

        long probeAtNanos;

        /** An answer that left no less than is known. */
        void passOver(Heard heard) {
            while (!passedOver.isEmpty() && passedOver.getLast().left >= heard.left) {
                passedOver.removeLast();
            }
            passedOver.add(heard);
        }

        /** What an answer to that send left that counts, or what was left by one that may have been answered after it. */
        long leastSince(long send, long left) {
            for (Heard heard : passedOver) {
                if (heard.at >= send) {
                    return Math.min(left, heard.left);
                }
            }
            return left;
        }
    }

    /**
     * What an answer said was left.
     *
     * @param at the last send when it was heard
     */
    private record Heard(long at, long left) {}

    private final long longestNanos;
    private final Map<Key, Budget> budgets = new LinkedHashMap<>();
    private long lastSend;
    private long unanswered;

    Learnt(long longestNanos) {
        this.longestNanos = longestNanos;
    }

    /** In how long something may be sent. */
    synchronized Wait peerWait(long nowNanos) {
        Wait longest = Wait.NONE;
        for (Budget budget : budgets.values()) {
            Wait wait = peerWait(budget, nowNanos);
            longest = wait.nanos > longest.nanos ? wait : longest;
        }
        return longest;
    }

    private Wait peerWait(Budget budget, long nowNanos) {
        long untilReset = budget.resetAtNanos - nowNanos;
        if (untilReset > 0) {
            return budget.left > unanswered ? Wait.NONE : new Wait(untilReset, budget.left <= 0);
        }
        boolean lost = nowNanos - budget.probeAtNanos > longestNanos;
        return budget.probe == 0 || lost ? Wait.NONE : UNTIL_ANSWERED;
    }

    /** Takes leave to send one: its number, or empty when that is not now. */
    synchronized OptionalLong trySend(long nowNanos) {
        if (peerWait(nowNanos).nanos > 0) {
            return OptionalLong.empty();
        }
        lastSend++;
        unanswered++;
        for (Budget budget : budgets.values()) {
            if (budget.resetAtNanos - nowNanos <= 0) {
                budget.probe = lastSend;
                budget.probeAtNanos = nowNanos;
            }
        }
        return OptionalLong.of(lastSend);
    }

    /** Nothing was sent under this number after all. True when somebody may wait for what it would have found out. */
    synchronized boolean giveBack(long send) {
        unanswered--;
        boolean probed = false;
        for (Budget budget : budgets.values()) {
            probed |= budget.probe == send;
            budget.probe = budget.probe == send ? 0 : budget.probe;
        }
        return probed;
    }

    /**
     * Learns from an answer. True when somebody may wait for it.
     *
     * @param send the number of the send that was answered
     * @param spreadNanos by how much longer than it asks for a pause is kept
     */
    synchronized boolean learn(long send, PeerAnswer answer, long spreadNanos, long nowNanos) {
        unanswered--;
        boolean told = settleProbes(send, answer);
        PeerAdvice advice = answer.advice();
        if (advice.pauseNanos().isPresent()) {
            pause(advice.pauseNanos().getAsLong(), spreadNanos, nowNanos);
        } else {
            advice.limits().forEach(limit -> tell(send, limit, nowNanos));
        }
        return told;
    }

    /** A probe that found nothing out is one no more; one that was taken says that the rest may follow. */
    private boolean settleProbes(long send, PeerAnswer answer) {
        boolean told = false;
        for (Iterator<Budget> each = budgets.values().iterator(); each.hasNext(); ) {
            Budget budget = each.next();
            if (budget.probe == send) {
                told = true;
                budget.probe = 0;
                if (answer.kind() != PeerAnswer.Kind.REFUSED) {
                    each.remove();
                }
            }
        }
        return told;
    }

    /**
     * Nothing is to be sent for so long, but no longer than the longest pause.
     *
     * @param spreadNanos by how much longer it is kept
     */
    synchronized void pause(long forNanos, long spreadNanos, long nowNanos) {
        long pauseNanos = Math.min(forNanos, longestNanos) + spreadNanos;
        if (pauseNanos <= 0) {
            return;
        }
        Budget pause = budgets.computeIfAbsent(PAUSE, key -> new Budget());
        boolean longer = pause.heardAt == 0 || nowNanos + pauseNanos - pause.resetAtNanos > 0;
        pause.resetAtNanos = longer ? nowNanos + pauseNanos : pause.resetAtNanos;
        pause.heardAt = lastSend;
    }

    private void tell(long send, PeerAdvice.Limit limit, long nowNanos) {
        Key key = new Key(limit.name(), limit.partitionKey());
        Budget known = budgets.get(key);
        boolean tooMany = known == null && budgets.size() >= MOST_LIMITS;
        if (limit.resetNanos().isEmpty() || tooMany) {
            return;
        }
        if (known != null && send <= known.heardAt && limit.remaining() >= known.left) {
            known.passOver(new Heard(lastSend, limit.remaining()));
            return;
        }
        Budget budget = known == null ? new Budget() : known;
        budget.left = budget.leastSince(send, limit.remaining());
        budget.heardAt = lastSend;
        budget.passedOver.clear();
        budget.resetAtNanos = nowNanos + Math.min(limit.resetNanos().getAsLong(), longestNanos);
        budgets.put(key, budget);
    }

    /** Whether an answer to this send is news about whether the dependency is back: nothing that left before the last pause is. */
    synchronized boolean isSincePause(long send) {
        Budget pause = budgets.get(PAUSE);
        return pause == null || send > pause.heardAt;
    }

    /** How long the pause still is that an answer asked for; 0 for none. */
    synchronized long pausedNanos(long nowNanos) {
        Budget pause = budgets.get(PAUSE);
        return pause == null ? 0 : Math.max(0, pause.resetAtNanos - nowNanos);
    }

    /** What the dependency says is left, as it is known now. */
    synchronized List<PeerAdvice.Limit> limits(long nowNanos) {
        List<PeerAdvice.Limit> limits = new ArrayList<>();
        budgets.forEach((key, budget) -> {
            if (!key.equals(PAUSE)) {
                limits.add(new PeerAdvice.Limit(
                        key.name(),
                        budget.left,
                        OptionalLong.of(Math.max(0, budget.resetAtNanos - nowNanos)),
                        key.partitionKey()));
            }
        });
        return limits;
    }
}
