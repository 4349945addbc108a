package dev.weir.load;

import dev.weir.load.Trial.Experiment;
import dev.weir.load.Trial.Means;

/**
 * One step of a gradient. Pure.
 *
 * <p>How it is designed, and why: latency above the baseline may have two causes. Calls wait for each other because too many are in flight,
 * and then a lower limit costs nothing; or calls are slow by themselves, and then a lower limit costs throughput in proportion. Latency alone
 * cannot tell, so that an algorithm that follows it either takes overload for normal or strangles a service whose dependency became slower.
 * Who refuses calls anyway can find out: it lowers the limit by a fifth, by more where answers are few or latency is far off, and looks at
 * throughput until it tells more than chance. A gate that refuses nobody makes no experiment.
 *
 * <p>Few answers tell little, and luck must not lead anywhere: while the limit is contested, latency is that of the last 200 answers, what is
 * wanted must be clearly less, and a window in which nobody happens to be refused ends nothing. Where an experiment lost throughput, the next
 * ones do not go for a while.
 *
 * <p>Laws: a slowdown made by what is in flight never becomes normal; any other does. The limit does not grow unused, nor shrink below twice
 * what is in flight while nobody is refused. One step a window, between floor and ceiling, fractions kept.
 */
final class GradientStep {

    private static final double TOLERANCE = 1.25;
    private static final double SMOOTHING = 0.4;
    /** Of large limits, while latency shows no queue at all. */
    private static final double GROWTH = 0.08;

    private static final double LOWERED = 0.8;
    private static final double MOST_LOWERED = 0.5;
    /** The most that is tried at once because latency is far off. */
    private static final double FAR_LOWERED = 0.7;
    /** Less would not show. */
    private static final double LEAST_LOWERED = 0.8;

    private static final double NOISE = 0.3;
    private static final double CLEARLY_LESS = 0.9;
    private static final double HEADROOM = 1.1;
    private static final double RAISED = 1.5;
    private static final double QUEUEING_BELOW = 0.3;
    private static final double INTRINSIC_ABOVE = 0.65;
    private static final double OFF_THE_FLOOR_ABOVE = 0.5;
    private static final int WINDOWS_TO_COMPARE = 5;
    private static final int WINDOWS_AT_FLOOR = 10;

    private final ConcurrencyLimit.Gradient limits;
    private final LimitState state;
    private final WindowSample window;
    private final double limit;
    private final boolean contested;
    private final Trial trial;
    /** Where latency points to. */
    private final double goal;
    /** A step on the way there. */
    private final double wanted;
    /** The same beyond all bounds, so that it is known at the floor too. */
    private final boolean wantsLess;

    GradientStep(ConcurrencyLimit.Gradient limits, LimitState state, WindowSample window) {
        this.limits = limits;
        this.state = state;
        this.window = window;
        limit = state.limit();
        contested = window.contested(limit);
        Trial later = state.trial().after(window, contested);
        // Of one window chance decides, and above the capacity it would only ever lead up.
        double latency = later.isContested() ? later.latencyNanos() : window.latencyNanos();
        double gradient = Math.min(1, TOLERANCE * state.baseNanos() / latency);
        goal = limit * Math.max(0.5, gradient) + Math.sqrt(limit);
        double step = SMOOTHING * (goal - limit);
        wanted = within(limit + (contested && gradient == 1 ? Math.max(step, GROWTH * limit) : step));
        wantsLess = limit * gradient + Math.sqrt(limit) < limit;
        boolean clearly = limit < limits.min() + 1 || limit * gradient + Math.sqrt(limit) < CLEARLY_LESS * limit;
        trial = contested ? later.wanting(wantsLess && clearly) : later;
    }

    LimitStep take() {
        if (window.dropsTooMuch()) {
            return dropped();
        }
        if (state.trial().experiment().isUnderWay()) {
            return experimenting(state.trial().experiment());
        }
        if (contested && isDue()) {
            Means reference = trial.reference(WINDOWS_TO_COMPARE);
            double lower = within(Math.max(
                    limit * Math.min(lowered(reference), Math.max(FAR_LOWERED, goal / limit)),
                    trial.lossy().least(reference.throughput())));
            if ((int) lower < (int) limit && lower <= LEAST_LOWERED * limit) {
                return experiment(lower, false);
            }
        }
        return window.bound() ? bound() : free();
    }

    private LimitStep dropped() {
        Experiment cutShort = state.trial().experiment();
        double from = cutShort.isUnderWay() ? Math.min(limit, cutShort.from()) : limit;
        return LimitStep.of(
                state.limit(LimitStep.lessDropped(from, limits.min(), window)).trial(forgotten(patience())),
                MoveReason.DROPPED);
    }

    /** By how much an experiment lowers the limit: the fewer answers there are, the more, so that it shows through chance. */
    private static double lowered(Means reference) {
        return clamp(Math.exp(-Math.sqrt(2 / reference.answers()) / NOISE), MOST_LOWERED, LOWERED);
    }

    private boolean isDue() {
        double least = window.bound() ? WINDOWS_TO_COMPARE : WINDOWS_AT_FLOOR;
        return trial.wantsLess() >= clamp(trial.patience() / 10.0, least, 20)
                || (trial.contestedWindows() >= (window.bound() ? 1 : 2) * trial.patience()
                        && trial.contested().size() >= WINDOWS_TO_COMPARE);
    }

    private LimitStep experiment(double to, boolean upwards) {
        Experiment experiment = Experiment.of(limit, upwards, trial.reference(WINDOWS_TO_COMPARE));
        return LimitStep.of(state.limit(to).trial(trial.experiment(experiment)), MoveReason.EXPERIMENT);
    }

    // ---- everybody found a slot, or was shed

    private LimitStep free() {
        LimitState next = state.trial(trial);
        if (wantsLess) {
            return LimitStep.of(next.limit(Math.min(limit, Math.max(wanted, inUse()))), MoveReason.LATENCY);
        }
        return window.usesHalf(limit)
                ? LimitStep.of(next.limit(wanted), MoveReason.ROOM)
                : LimitStep.of(next, MoveReason.IDLE);
    }

    /** Twice what is in flight. Where some are shed, what is in flight follows the limit and cannot hold it up. */
    private double inUse() {
        double mean = window.shed() ? 0 : window.inFlight();
        return 2 * Math.max(mean, window.usesHalf(limit) ? 0 : window.peak());
    }

    // ---- somebody was refused

    private LimitStep bound() {
        boolean atFloor = (int) within(LOWERED * limit) >= (int) limit;
        if (atFloor && trial.wantsLess() >= Math.max(WINDOWS_AT_FLOOR, trial.patience() / 2) && limit < limits.max()) {
            return experiment(within(Math.max(limit + 1, RAISED * limit)), true);
        }
        LimitState next = state.trial(trial);
        return wantsLess ? LimitStep.of(next, MoveReason.STEADY) : LimitStep.of(next.limit(wanted), MoveReason.ROOM);
    }

    private LimitStep experimenting(Experiment before) {
        Experiment experiment = before.after(window, contested);
        if (experiment.isVoid() && !before.upwards()) {
            return restored(before);
        }
        boolean tells = experiment.upwards()
                ? experiment.tells(OFF_THE_FLOOR_ABOVE, OFF_THE_FLOOR_ABOVE)
                : experiment.tells(queueingBelow(experiment), INTRINSIC_ABOVE);
        if (!tells) {
            return LimitStep.of(state.trial(state.trial().experiment(experiment)), MoveReason.STEADY);
        }
        return experiment.upwards() ? upwards(experiment) : downwards(experiment);
    }

    private LimitStep restored(Experiment experiment) {
        return LimitStep.of(state.limit(within(experiment.from())).trial(forgotten(patience())), MoveReason.RESTORED);
    }

    private LimitStep downwards(Experiment experiment) {
        if (!experiment.hasLowered()) {
            return restored(experiment);
        }
        double elasticity = experiment.elasticity();
        if (elasticity < queueingBelow(experiment)
                && experiment.measured().stream().noneMatch(WindowSample::bound)) {
            // Those who were let in found slots: latency alone holds this limit, and a lower one would only shed more.
            return LimitStep.of(
                    state.limit(within(experiment.from())).trial(forgotten((int) clamp(2.0 * patience(), 20, 200))),
                    MoveReason.RESTORED,
                    elasticity);
        }
        if (elasticity < queueingBelow(experiment)) {
            double latency = Means.of(experiment.measured()).latencyNanos();
            double needed = HEADROOM * experiment.reference().throughput() * latency / 1e9;
            double next = within(Math.max(limit, Math.min(needed, experiment.from())));
            double resting = latency * restingGradient(next) / TOLERANCE;
            return LimitStep.of(
                    state.limit(next)
                            .base(Math.min(state.baseNanos(), resting))
                            .trial(forgotten(Math.max(2, patience() / 4))),
                    MoveReason.QUEUEING,
                    elasticity);
        }
        double staffed = limit + 2 * Math.sqrt(limit);
        if (elasticity < INTRINSIC_ABOVE) {
            double more = experiment.isAbove(queueingBelow(experiment)) ? 1.15 : 1;
            double next = within(Math.max(experiment.from(), Math.min(staffed, more * experiment.from())));
            double latency = experiment.reference().latencyNanos() * next / experiment.from();
            double resting = Math.min(more * state.baseNanos(), latency * restingGradient(next) / TOLERANCE);
            return LimitStep.of(
                    state.limit(next).base(Math.max(state.baseNanos(), resting)).trial(losing((int)
                            clamp(2.0 * patience(), 20, 200))),
                    MoveReason.RESTORED,
                    elasticity);
        }
        double next = within(Math.max(1.2 * experiment.from(), Math.min(staffed, 1.5 * experiment.from())));
        double latency = Math.max(
                experiment.reference().latencyNanos(),
                Means.of(experiment.measured()).latencyNanos());
        double resting = 1.2 * latency * restingGradient(next) / TOLERANCE;
        return LimitStep.of(
                state.limit(next).base(Math.max(state.baseNanos(), resting)).trial(losing((int)
                        clamp(2.0 * patience(), 100, 600))),
                MoveReason.INTRINSIC,
                elasticity);
    }

    /** What a fifth less may cost, a larger step may not exceed. */
    private static double queueingBelow(Experiment experiment) {
        return QUEUEING_BELOW * Math.min(1, Math.log(LOWERED) / experiment.change());
    }

    private LimitStep upwards(Experiment experiment) {
        double elasticity = experiment.elasticity();
        if (elasticity <= OFF_THE_FLOOR_ABOVE) {
            // Each time that more brought nothing, the next try is later.
            Trial patient = forgotten(Math.min(600, 2 * patience()));
            return LimitStep.of(state.limit(within(experiment.from())).trial(patient), MoveReason.RESTORED, elasticity);
        }
        double base =
                Math.max(state.baseNanos(), Means.of(experiment.measured()).latencyNanos());
        return LimitStep.of(state.base(base).trial(forgotten(patience())), MoveReason.OFF_THE_FLOOR, elasticity);
    }

    /** The gradient at which a limit rests: what it loses by latency is the square root that it gains. */
    private static double restingGradient(double limit) {
        return Math.max(0.5, 1 - 1 / Math.sqrt(limit));
    }

    private int patience() {
        return state.trial().patience();
    }

    private Trial forgotten(int patience) {
        return state.trial().forgotten(patience);
    }

    /** Patient from now on, and for as long no more is lost where throughput was. */
    private Trial losing(int patience) {
        return forgotten(patience)
                .experiment(state.trial().experiment())
                .losing(limit)
                .forgotten(patience);
    }

    private double within(double next) {
        return clamp(next, limits.min(), limits.max());
    }

    private static double clamp(double value, double low, double high) {
        return Math.max(low, Math.min(high, value));
    }
}
