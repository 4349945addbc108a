package dev.weir.cli.replay;

import dev.weir.Decision;
import dev.weir.cli.log.LoggedCall;
import dev.weir.policy.Budget;
import dev.weir.policy.Limit;
import dev.weir.policy.Protects;
import dev.weir.rate.Algorithm;
import dev.weir.rate.KeyHash;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The same keys and costs under another algorithm or another count. Plans and overrides are left out: every key gets this budget. */
public final class WhatIf {

    /** By how many hundredths of its count a limit is tried, to find the least that refuses hardly anybody. */
    private static final int[] PERCENTS = {
        10, 25, 50, 75, 100, 125, 150, 200, 300, 400, 600, 800, 1200, 1600, 3200, 6400
    };

    private final RateLimit budget;
    private final boolean sameAlgorithm;
    private final Limit limit;
    private final RateTable table;
    private final int tier;
    private final long[] mark = new long[1];
    private long granted;
    private long refused;

    private WhatIf(Limit limit, RateLimit budget, boolean sameAlgorithm) {
        this.limit = limit;
        this.budget = budget;
        this.sameAlgorithm = sameAlgorithm;
        this.table = RateTable.of(budget.algorithm(), limit.maxKeys());
        this.tier = table.tier(budget, 0);
    }

    /** The other algorithms with the limit's count, and the limit's algorithm with other counts. None for what is no rate. */
    static List<WhatIf> variantsOf(Limit limit) {
        List<WhatIf> variants = new ArrayList<>();
        if (!(limit.budget() instanceof Budget.Rate rate) || rate.limit().algorithm() == Algorithm.QUOTA) {
            return variants;
        }
        RateLimit own = rate.limit();
        RateLimit plain = own.burst(own.count());
        for (Algorithm algorithm : List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_LOG, Algorithm.SLIDING_WINDOW)) {
            if (fits(own.count(), algorithm)) {
                variants.add(new WhatIf(limit, plain.algorithm(algorithm), false));
            }
        }
        RateLimit bucket = own.algorithm(Algorithm.TOKEN_BUCKET);
        variants.add(new WhatIf(limit, bucket, false));
        if (bucket.capacity() > 1) {
            variants.add(new WhatIf(limit, bucket.burst(1), false));
        }
        if (limit.protects().equals(Optional.of(Protects.ABUSE))) {
            return variants; // a count that refuses hardly anybody would make room for the abuse
        }
        long last = 0;
        for (int percent : PERCENTS) {
            long count = Math.max(1, own.count() * percent / 100);
            if (count > last && fits(count, own.algorithm())) {
                variants.add(new WhatIf(limit, scaled(own, count), true));
                last = count;
            }
        }
        return variants;
    }

    private static boolean fits(long count, Algorithm algorithm) {
        return switch (algorithm) {
            case SLIDING_LOG -> count <= RateLimit.MAX_LOG_COUNT;
            case SLIDING_WINDOW -> count <= RateLimit.MAX_SLIDING_COUNT;
            case FIXED_WINDOW -> count <= RateLimit.MAX_WINDOW_COUNT;
            case TOKEN_BUCKET, LEAKY_QUEUE, QUOTA -> count <= RateLimit.MAX_COUNT / 2;
        };
    }

    private static boolean bursts(RateLimit own) {
        return own.algorithm() == Algorithm.TOKEN_BUCKET || own.algorithm() == Algorithm.LEAKY_QUEUE;
    }

    /** Another count in the same period, and a burst in the same proportion. */
    private static RateLimit scaled(RateLimit own, long count) {
        RateLimit other = RateLimit.of(count, Duration.ofNanos(own.periodNanos()));
        if (!bursts(own)) {
            return other.algorithm(own.algorithm());
        }
        return other.burst(Math.max(1, own.capacity() * count / Math.max(1, own.count())))
                .algorithm(own.algorithm());
    }

    void judge(LoggedCall call, Decision.Judged line) {
        long key = KeyHash.text().hash(line.key(), 0, 0);
        long now = call.epochNanos();
        if (table.charge(key, tier, now, line.cost(), mark) != RateTable.NOW) {
            refused++;
            return;
        }
        granted++;
        boolean kept = limit.keepIfStatus().isEmpty()
                || call.status().isEmpty()
                || limit.keepIfStatus().get().contains(call.status().getAsInt());
        if (!kept) {
            table.giveBack(key, tier, now, line.cost(), mark[0]);
        }
    }

    /** A call that is let pass without being counted, whatever the limit. */
    void spared() {
        granted++;
    }

    /** What every key gets. */
    public RateLimit budget() {
        return budget;
    }

    /** Whether this is the limit's own algorithm with another count, and not another algorithm. */
    public boolean sameAlgorithm() {
        return sameAlgorithm;
    }

    /** Whether some keys really get another budget, by a plan or an override that is left out here. */
    public boolean leavesOutBudgets() {
        return !limit.plans().isEmpty() || !limit.overrides().isEmpty();
    }

    /** Calls that would have passed. */
    public long granted() {
        return granted;
    }

    /** Calls that would have been refused. */
    public long refused() {
        return refused;
    }
}
