package dev.weir.rate;

/**
 * Turns at even distance. A queue of depth d admits what a bucket of d + 1 units admits; the difference is what a grant means: a bucket
 * lets the call start now, a queue tells it when its turn is. The state is the bucket's, whose theoretical arrival time is the first
 * turn that is still free.
 */
final class LeakyQueue implements Meter {

    private final TokenBucket bucket;
    private final long maxAhead;

    LeakyQueue(RateLimit limit) {
        this(new TokenBucket(limit), limit.maxWaitNanos());
    }

    private LeakyQueue(TokenBucket bucket, long maxWaitNanos) {
        this.bucket = bucket;
        this.maxAhead = bucket.ticks(maxWaitNanos);
    }

    /** The same queue for callers that start at once or not at all. */
    LeakyQueue withoutWaiting() {
        return new LeakyQueue(bucket, 0);
    }

    /** The longer of the waits for a place and for a turn that is near enough. */
    @Override
    public long waitFor(long state, long now, long cost) {
        if (cost == 0) {
            return NOW;
        }
        long tooFar = bucket.lead(state, now) - maxAhead;
        long wait = bucket.waitFor(state, now, cost);
        return tooFar <= 0 ? wait : Math.max(wait, bucket.nanos(tooFar));
    }

    @Override
    public long turnNanos(long stateBefore, long now) {
        return bucket.nanos(bucket.lead(stateBefore, now));
    }

    @Override
    public long fresh(long now) {
        return bucket.fresh(now);
    }

    @Override
    public boolean isFresh(long state, long now) {
        return bucket.isFresh(state, now);
    }

    @Override
    public long charged(long state, long now, long cost) {
        return bucket.charged(state, now, cost);
    }

    @Override
    public long mark(long state, long now) {
        return bucket.mark(state, now);
    }

    @Override
    public long givenBack(long state, long now, long units, long mark) {
        return bucket.givenBack(state, now, units, mark);
    }

    @Override
    public long absorbed(long state, long now, long units, long ageNanos) {
        return bucket.absorbed(state, now, units, ageNanos);
    }

    @Override
    public long markFrom(Meter from, long mark, long now) {
        return bucket.markFrom(from instanceof LeakyQueue that ? that.bucket : from, mark, now);
    }

    @Override
    public long stricter(long a, long b) {
        return bucket.stricter(a, b);
    }

    @Override
    public long milder(long a, long b) {
        return bucket.milder(a, b);
    }

    @Override
    public long used(long state, long now) {
        return bucket.used(state, now);
    }

    @Override
    public long withUsed(long now, long units) {
        return bucket.withUsed(now, units);
    }

    @Override
    public long converted(long state, long now, Meter from) {
        return bucket.converted(state, now, from instanceof LeakyQueue that ? that.bucket : from);
    }

    @Override
    public Standing standing(long state, long now) {
        return bucket.standing(state, now);
    }

    @Override
    public long sweepNanos() {
        return bucket.sweepNanos();
    }

    @Override
    public boolean aligned() {
        return false;
    }
}
