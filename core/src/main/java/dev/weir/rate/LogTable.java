package dev.weir.rate;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A log for each key, for limits that are few and low. Maps in the order of the last charge, behind locks that are held for one decision;
 * a key takes a few hundred bytes. Departed keys leave (newest stamp, number) in two shared cells, and newcomers start from the milder of
 * theirs: that many grants, all as young as the youngest.
 */
final class LogTable extends RateTable {

    private static final int LOOKED_AT = 16;

    private final List<Tier> tiers = new CopyOnWriteArrayList<>();
    private final Stripe[] stripes;
    private final int stripeMask;
    private volatile long longestWindow = 1;

    private record Tier(RateLimit budget, SlidingLog log) {}

    LogTable(int maxKeys) {
        int count = Math.max(1, Math.min(64, Integer.highestOneBit(Math.max(1, maxKeys / 64))));
        stripes = new Stripe[count];
        stripeMask = count - 1;
        for (int i = 0; i < count; i++) {
            stripes[i] = new Stripe(Math.max(1, maxKeys / count));
        }
    }

    /** Logs know no tier, and there may be any number. */
    @Override
    public RateTable withRoomFor(List<RateLimit> budgets, long now) {
        return this;
    }

    @Override
    public synchronized int tier(RateLimit budget, long now) {
        for (int i = 0; i < tiers.size(); i++) {
            if (tiers.get(i).budget.equals(budget)) {
                return i;
            }
        }
        tiers.add(new Tier(budget, new SlidingLog(budget)));
        longestWindow = Math.max(longestWindow, budget.periodNanos());
        return tiers.size() - 1;
    }

    @Override
    public long charge(long key, int tier, long now, long cost, long @Nullable [] mark) {
        return cost == 0 ? NOW : stripe(key).charge(key, tiers.get(tier).log, now, cost, mark);
    }

    @Override
    public long peek(long key, int tier, long now, long cost) {
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            return tiers.get(tier).log.waitFor(stripe.look(key, tiers.get(tier).log, now, false), now, cost);
        }
    }

    @Override
    public void force(long key, int tier, long now, long cost) {
        if (cost == 0) {
            return;
        }
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            SlidingLog log = tiers.get(tier).log;
            LogRing ring = stripe.look(key, log, now, true);
            long at = stripe.logs.containsKey(key) ? now : stripe.notBeforeHorizon(now);
            log.charge(ring, at, cost);
            stripe.put(key, ring, at);
        }
    }

    @Override
    public void giveBack(long key, int tier, long now, long units, long mark) {
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            LogRing ring = stripe.logs.get(key);
            if (ring != null) {
                ring.remove(mark, units);
            }
        }
    }

    @Override
    public Standing standing(long key, int tier, long now) {
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            return tiers.get(tier).log.standing(stripe.look(key, tiers.get(tier).log, now, false), now);
        }
    }

    @Override
    public OptionalInt heldTier(long key) {
        return OptionalInt.empty();
    }

    @Override
    public long turnNanos(int tier, long now, long mark) {
        return 0;
    }

    @Override
    public int keys() {
        int keys = 0;
        for (Stripe stripe : stripes) {
            synchronized (stripe) {
                keys += stripe.logs.size();
            }
        }
        return keys;
    }

    @Override
    public void maxKeys(int maxKeys, long now) {
        for (Stripe stripe : stripes) {
            synchronized (stripe) {
                stripe.maxLive = Math.max(1, maxKeys / stripes.length);
                while (stripe.logs.size() > stripe.maxLive) {
                    stripe.makeRoom(now);
                }
            }
        }
    }

    private Stripe stripe(long key) {
        return stripes[(int) (key >>> 32) & stripeMask];
    }

    /** A part of the table; every access holds its lock. */
    private final class Stripe {
        final LinkedHashMap<Long, LogRing> logs = new LinkedHashMap<>(16, 0.75f, false);
        int maxLive;
        long @Nullable [] cellNewest;
        int @Nullable [] cellNumber;
        long horizon;
        boolean forgot;

        Stripe(int maxLive) {
            this.maxLive = maxLive;
        }

        synchronized long charge(long key, SlidingLog log, long now, long cost, long @Nullable [] mark) {
            LogRing ring = look(key, log, now, true);
            long at = logs.containsKey(key) ? now : notBeforeHorizon(now);
            long wait = log.waitFor(ring, at, cost);
            if (wait != NOW) {
                return wait == NEVER ? NEVER : wait + at - now;
            }
            long stamp = log.mark(ring, at);
            log.charge(ring, at, cost);
            put(key, ring, at);
            if (mark != null) {
                mark[0] = stamp;
            }
            return NOW;
        }

        /** The key's log, or what a newcomer starts from, which is nobody's until it is put. */
        LogRing look(long key, SlidingLog log, long now, boolean count) {
            LogRing ring = logs.get(key);
            if (ring != null) {
                return ring;
            }
            LogRing start = new LogRing();
            if (cellNewest != null && cellNumber != null) {
                int a = cell(key, 0x9E3779B97F4A7C15L);
                int b = cell(key, 0xC2B2AE3D27D4EB4FL);
                int number = Math.min(cellNumber[a], cellNumber[b]);
                long newest = cellNewest[a] - cellNewest[b] <= 0 ? cellNewest[a] : cellNewest[b];
                if (number > 0 && now - newest < log.windowNanos()) {
                    for (int i = 0; i < number; i++) {
                        start.add(newest);
                    }
                    if (count) {
                        stricter.increment();
                    }
                }
            }
            return start;
        }

        /** A thread with an older reading of the clock must not profit from what was let go at a later one. */
        private long notBeforeHorizon(long now) {
            return forgot && horizon - now > 0 ? horizon : now;
        }

        /** Puts the log behind all others, in the order of the last charge. */
        void put(long key, LogRing ring, long now) {
            if (logs.remove(key) == null && logs.size() >= maxLive) {
                makeRoom(now);
            }
            logs.put(key, ring);
        }

        /** Lets the least used of the oldest go; those that are over are least used of all. */
        void makeRoom(long now) {
            long leastKey = 0;
            LogRing least = null;
            List<Long> over = new ArrayList<>();
            Iterator<Map.Entry<Long, LogRing>> oldest = logs.entrySet().iterator();
            for (int n = 0; n < LOOKED_AT && oldest.hasNext(); n++) {
                Map.Entry<Long, LogRing> entry = oldest.next();
                LogRing ring = entry.getValue();
                if (ring.size() == 0 || now - ring.newest() >= longestWindow) {
                    over.add(entry.getKey());
                } else if (least == null || ring.size() < least.size()) {
                    least = ring;
                    leastKey = entry.getKey();
                }
            }
            if (!over.isEmpty()) {
                over.forEach(logs::remove);
                horizon = notBeforeHorizon(now);
                forgot = true;
            } else if (least != null) {
                fold(leastKey, least, now);
                logs.remove(leastKey);
                evictions.increment();
            }
        }

        private void fold(long key, LogRing ring, long now) {
            int cells = Integer.highestOneBit(Math.max(64, maxLive / 2));
            if (cellNewest == null || cellNumber == null) {
                cellNewest = new long[cells];
                cellNumber = new int[cells];
            }
            for (int cell : new int[] {cell(key, 0x9E3779B97F4A7C15L), cell(key, 0xC2B2AE3D27D4EB4FL)}) {
                boolean first = cellNumber[cell] == 0 || now - cellNewest[cell] >= longestWindow;
                cellNewest[cell] = first || ring.newest() - cellNewest[cell] > 0 ? ring.newest() : cellNewest[cell];
                cellNumber[cell] = first ? ring.size() : Math.max(cellNumber[cell], ring.size());
            }
        }

        private int cell(long key, long factor) {
            int mask = cellNewest == null ? 0 : cellNewest.length - 1;
            return (int) ((key * factor) >>> 34) & mask;
        }
    }
}
