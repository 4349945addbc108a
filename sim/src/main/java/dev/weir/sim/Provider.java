package dev.weir.sim;

import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Somebody else's service: so many sends in a rolling second are served, all others refused, and refused ones are counted too. */
final class Provider {

    private static final int SLOTS = 100;
    private static final long SLOT_NANOS = Meters.SECOND / SLOTS;

    private final DependencySettings settings;
    private final VirtualTime time;
    private final Meters meters;
    private final SplittableRandom draws = new SplittableRandom(1);
    private final int[] sends = new int[SLOTS];
    private long slot;
    private int inLastSecond;

    Provider(DependencySettings settings, VirtualTime time, Meters meters) {
        this.settings = settings;
        this.time = time;
        this.meters = meters;
    }

    /** Takes a send and answers it, well or with a refusal. */
    void receive(Consumer<Boolean> answer) {
        forgetOld();
        sends[(int) (slot % SLOTS)]++;
        inLastSecond++;
        boolean refuses = settings.contract().isPresent()
                && inLastSecond > settings.contract().getAsInt();
        meters.dependency().sent(inLastSecond, refuses);
        long nanos = refuses
                ? settings.refusalNanos()
                : (long) settings.latencyNanos().at(time.nanos()).nanos(draws.nextDouble());
        time.after(nanos, () -> answer.accept(!refuses));
    }

    private void forgetOld() {
        for (long now = time.nanos() / SLOT_NANOS; slot < now; ) {
            slot++;
            inLastSecond -= sends[(int) (slot % SLOTS)];
            sends[(int) (slot % SLOTS)] = 0;
        }
    }
}
