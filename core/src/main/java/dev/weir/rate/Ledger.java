package dev.weir.rate;

/** One key's counter as an object, for what is done under a lock: a meter with its state, or a log. Not thread safe. */
sealed interface Ledger {

    long waitFor(long now, long cost);

    void charge(long now, long cost);

    long mark(long now);

    long turnNanos(long now);

    /** Whether that changed anything. */
    boolean giveBack(long now, long units, long mark);

    /** Whether that changed anything. */
    boolean absorb(long now, long units, long ageNanos);

    Standing standing(long now);

    /** A copy, to see what would happen. */
    Ledger copy();

    /** A meter and its state. */
    final class Metered implements Ledger {
        private final Meter meter;
        private long state;

        Metered(Meter meter, long state) {
            this.meter = meter;
            this.state = state;
        }

        long state() {
            return state;
        }

        long sweepNanos() {
            return meter.sweepNanos();
        }

        @Override
        public long waitFor(long now, long cost) {
            return meter.waitFor(state, now, cost);
        }

        @Override
        public void charge(long now, long cost) {
            state = meter.charged(state, now, cost);
        }

        @Override
        public long mark(long now) {
            return meter.mark(state, now);
        }

        @Override
        public long turnNanos(long now) {
            return meter.turnNanos(state, now);
        }

        @Override
        public boolean giveBack(long now, long units, long mark) {
            long before = state;
            state = meter.givenBack(before, now, units, mark);
            return state != before;
        }

        @Override
        public boolean absorb(long now, long units, long ageNanos) {
            long before = state;
            state = meter.absorbed(before, now, units, ageNanos);
            return state != before;
        }

        @Override
        public Standing standing(long now) {
            return meter.standing(state, now);
        }

        @Override
        public Ledger copy() {
            return new Metered(meter, state);
        }
    }

    /** A log and its entries. */
    record Logged(SlidingLog log, LogRing ring) implements Ledger {
        @Override
        public long waitFor(long now, long cost) {
            return log.waitFor(ring, now, cost);
        }

        @Override
        public void charge(long now, long cost) {
            log.charge(ring, now, cost);
        }

        @Override
        public long mark(long now) {
            return log.mark(ring, now);
        }

        @Override
        public long turnNanos(long now) {
            return 0;
        }

        @Override
        public boolean giveBack(long now, long units, long mark) {
            int before = ring.size();
            ring.remove(mark, units);
            return ring.size() != before;
        }

        @Override
        public boolean absorb(long now, long units, long ageNanos) {
            return log.absorb(ring, now, units, ageNanos);
        }

        @Override
        public Standing standing(long now) {
            return log.standing(ring, now);
        }

        @Override
        public Ledger copy() {
            return new Logged(log, ring.copy());
        }
    }
}
