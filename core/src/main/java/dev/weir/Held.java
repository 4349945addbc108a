package dev.weir;

import dev.weir.load.Outcome;
import dev.weir.policy.Call;
import dev.weir.policy.Cost;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The permit of a call that was admitted by {@link Weir}. Its lock guards the charges. */
final class Held implements Permit {

    private final Weir weir;
    private final Call call;
    private final Charges charges;
    private final long since;
    private boolean succeeded;
    private boolean answered;
    private boolean ended;

    Held(Weir weir, Call call, Charges charges, long since) {
        this.weir = weir;
        this.call = call;
        this.charges = charges;
        this.since = since;
    }

    @Override
    public boolean release(Outcome outcome) {
        synchronized (this) {
            if (ended) {
                weir.releasedTwice();
                return false;
            }
            ended = true;
            charges.release();
        }
        weir.released(call, outcome, since);
        return true;
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
        Now now = weir.now();
        charges.enforced().forEach(line -> settle(line, answer, now));
        charges.shadows().forEach(line -> settle(line, answer, now));
    }

    private static void settle(Charges.Line line, Answer answer, Now now) {
        Optional<Set<Integer>> keep = line.billed.limit().keepIfStatus();
        if (keep.isPresent()
                && answer.status().isPresent()
                && !keep.get().contains(answer.status().getAsInt())) {
            Charges.settle(line, now, 0);
        } else if (line.billed.limit().cost() instanceof Cost.Estimated estimated) {
            actualCost(estimated.settleBy(), answer).ifPresent(cost -> Charges.settle(line, now, cost));
        }
    }

    private static Optional<Long> actualCost(Cost.SettleBy by, Answer answer) {
        if (by instanceof Cost.SettleBy.ResponseBytes) {
            return answer.bodyBytes().isPresent()
                    ? Optional.of(answer.bodyBytes().getAsLong())
                    : Optional.empty();
        }
        if (by instanceof Cost.SettleBy.DurationMillis) {
            return answer.durationNanos().isPresent()
                    ? Optional.of((answer.durationNanos().getAsLong() + 999_999) / 1_000_000)
                    : Optional.empty();
        }
        List<String> said = answer.headers().apply(((Cost.SettleBy.ResponseHeader) by).name());
        return said.isEmpty() ? Optional.empty() : Cost.wholeNumber(said.get(0));
    }

    @Override
    public synchronized void settle(long actualCost) {
        Now now = weir.now();
        charges.enforced().forEach(line -> settle(line, actualCost, now));
        charges.shadows().forEach(line -> settle(line, actualCost, now));
    }

    @Override
    public synchronized void settle(String limit, long actualCost) {
        Now now = weir.now();
        charges.enforced().stream()
                .filter(line -> line.billed.limit().name().equals(limit))
                .forEach(line -> settle(line, actualCost, now));
        charges.shadows().stream()
                .filter(line -> line.billed.limit().name().equals(limit))
                .forEach(line -> settle(line, actualCost, now));
    }

    private static void settle(Charges.Line line, long actualCost, Now now) {
        if (actualCost < 0) {
            throw new IllegalArgumentException("actual cost " + actualCost + " is below 0");
        }
        if (line.billed.limit().cost() instanceof Cost.Estimated) {
            Charges.settle(line, now, actualCost);
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
