package dev.weir.rate;

import dev.weir.Ticker;
import java.security.SecureRandom;
import java.time.Duration;

/**
 * One budget for each key, in bounded memory: at most 32 bytes a key, and being forgotten helps nobody (see {@link RateTable}).
 *
 * <pre>{@code
 * KeyedRateLimiter<CharSequence> perUser = KeyedRateLimiter.of(RateLimit.parse("5/min"), 1_000_000);
 * return perUser.tryAcquire(user) ? serve() : refuse(perUser.peek(user, 1));
 * }</pre>
 *
 * <p>Thread safe. {@link #charge}, {@link #peek} and {@link #tryAcquire} allocate nothing (but in a sliding log) and take no lock for a
 * known key. Keys are not kept, only 54 bits of their hash under a random secret. A cost of 0 always passes, changes nothing and makes no
 * key known; a negative one is an {@link IllegalArgumentException}.
 */
public final class KeyedRateLimiter<K> {

    private static final SecureRandom RANDOM = new SecureRandom();

    private final RateLimit limit;
    private final Ticker ticker;
    private final KeyHash<? super K> hash;
    private final RateTable table;
    private final int tier;
    /** Of those who start at once or not at all: differs for a leaky queue, whose grants may start later. */
    private final int immediateTier;

    private final long secret0 = RANDOM.nextLong();
    private final long secret1 = RANDOM.nextLong();

    private KeyedRateLimiter(RateLimit limit, int maxKeys, KeyHash<? super K> hash, Ticker ticker) {
        this.limit = limit;
        this.ticker = ticker;
        this.hash = hash;
        table = RateTable.of(limit.algorithm(), maxKeys);
        tier = table.tier(limit, ticker.nanos());
        immediateTier = limit.algorithm() == Algorithm.LEAKY_QUEUE
                ? table.tier(limit.maxWait(Duration.ZERO), ticker.nanos())
                : tier;
    }

    /** A limiter by text, on the machine's clock. {@code maxKeys} should be the keys that come in the time in which a budget refills. */
    public static KeyedRateLimiter<CharSequence> of(RateLimit limit, int maxKeys) {
        return of(limit, maxKeys, KeyHash.text());
    }

    /** A limiter by any kind of key, on the machine's clock. */
    public static <K> KeyedRateLimiter<K> of(RateLimit limit, int maxKeys, KeyHash<? super K> hash) {
        return of(limit, maxKeys, hash, RateTable.aligned(limit.algorithm()) ? Ticker.wall() : Ticker.system());
    }

    /** A limiter by any kind of key, on another clock. */
    public static <K> KeyedRateLimiter<K> of(RateLimit limit, int maxKeys, KeyHash<? super K> hash, Ticker ticker) {
        return new KeyedRateLimiter<>(limit, maxKeys, hash, ticker);
    }

    /** What each key is limited to. */
    public RateLimit limit() {
        return limit;
    }

    /** Whether one unit passes now; it is charged then. */
    public boolean tryAcquire(K key) {
        return charge(key, 1) == RateLimiter.NOW;
    }

    /** Charges and answers {@link RateLimiter#NOW}, or changes nothing and answers the wait in nanoseconds or {@link RateLimiter#NEVER}. A leaky queue passes who may start at once; see {@link #reserve}. */
    public long charge(K key, long cost) {
        RateLimiter.requireCost(cost);
        return table.charge(hashed(key), immediateTier, ticker.nanos(), cost, null);
    }

    /** What {@link #charge} would answer, without charging. */
    public long peek(K key, long cost) {
        RateLimiter.requireCost(cost);
        return table.peek(hashed(key), immediateTier, ticker.nanos(), cost);
    }

    /**
     * As {@link #charge}, with a receipt to give the charge back or to settle it. In a leaky queue the wait of a granted one is the time
     * to the call's turn; otherwise a granted one starts now.
     */
    public Reservation reserve(K key, long cost) {
        RateLimiter.requireCost(cost);
        long hashed = hashed(key);
        long now = ticker.nanos();
        long[] mark = new long[1];
        long wait = table.charge(hashed, tier, now, cost, mark);
        if (wait != RateLimiter.NOW) {
            return Reservation.refused(wait);
        }
        long turn = cost == 0 ? 0 : table.turnNanos(tier, now, mark[0]);
        return Reservation.granted(turn, cost, actual -> {
            if (actual < cost) {
                table.giveBack(hashed, tier, ticker.nanos(), cost - actual, mark[0]);
            } else {
                table.force(hashed, tier, ticker.nanos(), actual - cost);
            }
        });
    }

    /** What is left for the key and when more comes. Allocates. */
    public Standing standing(K key) {
        return table.standing(hashed(key), tier, ticker.nanos());
    }

    /** How many keys are held. */
    public int keys() {
        return table.keys();
    }

    /** How many keys had to leave with something used, so far. */
    public long evictions() {
        return table.evictions();
    }

    /** How many newcomers were judged more strictly than in an unbounded table, so far. */
    public long stricter() {
        return table.stricter();
    }

    private long hashed(K key) {
        return hash.hash(key, secret0, secret1);
    }
}
