package dev.weir;

import dev.weir.load.Gate;
import dev.weir.load.Outcome;
import dev.weir.policy.Call;
import dev.weir.policy.Cost;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The permit of a call that was admitted by {@link Weir}. Its lock guards the charges. */
final class Held implements Permit {

    private final Weir weir;
    private final Call call;
    private final Charges charges;
    private final long since;
    /** The gate and the slot there, if the call holds one. */
    private final @Nullable Gate gate;

    private final long stamp;
    private boolean succeeded;
    private boolean answered;
    private boolean ended;

    Held(Weir weir, Call call, Charges charges, long since) {
        this(weir, call, charges, since, null, Gate.REFUSED);
    }

    Held(Weir weir, Call call, Charges charges, long since, @Nullable Gate gate, long stamp) {
        this.weir = weir;
        this.call = call;
        this.charges = charges;
        this.since = since;
        this.gate = gate;
        this.stamp = stamp;
    }

    @Override
    public boolean release(Outcome outcome) {
        if (!endedNow()) {
            weir.releasedTwice();
            return false;
        }
        if (gate != null) {
            gate.exit(stamp, outcome);
        }
        weir.released(call, outcome, since);
        return true;
    }

    @Override
    public boolean abandon() {
        if (!endedNow()) {
            return false;
        }
        if (gate != null) {
            gate.abandon(stamp);
        }
        weir.released(call, Outcome.IGNORED, since);
        return true;
    }

    /** Whether this ends it, which lets go what its limits hold. */
    private synchronized boolean endedNow() {
        if (ended) {
            return false;
        }
        ended = true;
        charges.release();
        return true;
    }

    @Override
    public void responseStarted() {
        if (gate != null) {
            gate.responseStarted(stamp);
        }
    }

    @Override
    public void lasts() {
        if (gate != null) {
            gate.markLong(stamp);
        }
    }

    @Override
    public synchronized void success() {
        succeeded = true;
    }

    @Override
    public synchronized void answered(Answer answer) {
        if (answered) {
            return;
        }
        answered = true;
        if (gate != null && answer.status().orElse(0) >= 500) {
            gate.error();
        }
        Now now = weir.now();
        charges.enforced().forEach(line -> settle(line, answer, now));
        charges.shadows().forEach(line -> settle(line, answer, now));
        charges.corrected();
    }

    private void settle(Charges.Line line, Answer answer, Now now) {
        try {
            correct(line, answer, now);
        } catch (RuntimeException e) {
            weir.failed();
        }
    }

    private void correct(Charges.Line line, Answer answer, Now now) {
        Optional<Set<Integer>> keep = line.billed.limit().keepIfStatus();
        if (keep.isPresent()
                && answer.status().isPresent()
                && !keep.get().contains(answer.status().getAsInt())) {
            charges.forgive(line, now);
        } else if (line.billed.limit().cost() instanceof Cost.Estimated estimated) {
            actualCost(estimated.settleBy(), answer).ifPresent(cost -> charges.settle(line, now, cost));
        }
    }

    /** Empty when the answer does not tell, or tells something below zero. */
    private static OptionalLong actualCost(Cost.SettleBy by, Answer answer) {
        OptionalLong told;
        if (by instanceof Cost.SettleBy.ResponseBytes) {
            told = answer.bodyBytes();
        } else if (by instanceof Cost.SettleBy.DurationMillis) {
            told = answer.durationNanos().stream()
                    .map(nanos -> nanos / 1_000_000 + (nanos % 1_000_000 > 0 ? 1 : 0))
                    .findFirst();
        } else {
            List<String> said = answer.headers().apply(((Cost.SettleBy.ResponseHeader) by).name());
            told = said.stream()
                    .limit(1)
                    .flatMap(first -> Cost.wholeNumber(first).stream())
                    .mapToLong(Long::longValue)
                    .findFirst();
        }
        return told.isPresent() && told.getAsLong() < 0 ? OptionalLong.empty() : told;
    }

    @Override
    public synchronized void settle(long actualCost) {
        requireCost(actualCost);
        Now now = weir.now();
        charges.enforced().forEach(line -> settle(line, actualCost, now));
        charges.shadows().forEach(line -> settle(line, actualCost, now));
        charges.corrected();
    }

    @Override
    public synchronized void settle(String limit, long actualCost) {
        requireCost(actualCost);
        Now now = weir.now();
        charges.enforced().stream()
                .filter(line -> line.billed.limit().name().equals(limit))
                .forEach(line -> settle(line, actualCost, now));
        charges.shadows().stream()
                .filter(line -> line.billed.limit().name().equals(limit))
                .forEach(line -> settle(line, actualCost, now));
    }

    private static void requireCost(long actualCost) {
        if (actualCost < 0) {
            throw new IllegalArgumentException("actual cost " + actualCost + " is below 0");
        }
    }

    private void settle(Charges.Line line, long actualCost, Now now) {
        if (line.billed.limit().cost() instanceof Cost.Estimated) {
            charges.settle(line, now, actualCost);
        }
    }

    @Override
    public void undo() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            charges.undo(weir.now());
        }
        if (gate != null) {
            gate.exit(stamp, Outcome.IGNORED);
        }
        weir.released(call, Outcome.IGNORED, since);
    }

    @Override
    public void close() {
        boolean open;
        synchronized (this) {
            open = !ended;
        }
        if (open) {
            release(succeeded ? Outcome.SUCCESS : Outcome.IGNORED);
        }
    }
}
