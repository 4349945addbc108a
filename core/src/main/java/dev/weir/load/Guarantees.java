package dev.weir.load;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How many slots of a limit each pool is guaranteed. Pure. Shares are rounded down, and what is left goes to the largest remainders, of equal
 * ones to the smaller share first. Each pool with a share gets at least one while the limit allows; otherwise the last listed lose theirs
 * first.
 */
final class Guarantees {

    /** Keeps 0.29 x 100 from being 28. */
    private static final double ROUNDING = 1e-9;

    private Guarantees() {}

    static int[] of(int limit, List<Double> shares) {
        int[] slots = shares.stream()
                .mapToInt(share -> (int) Math.floor(limit * share + ROUNDING))
                .toArray();
        double sum = shares.stream().mapToDouble(Double::doubleValue).sum();
        int left =
                (int) Math.floor(limit * sum + ROUNDING) - Arrays.stream(slots).sum();
        byRemainder(limit, shares).limit(left).forEach(pool -> slots[pool]++);
        atLeastOne(limit, shares, slots);
        return slots;
    }

    private static Stream<Integer> byRemainder(int limit, List<Double> shares) {
        return IntStream.range(0, shares.size())
                .boxed()
                .filter(pool -> shares.get(pool) > 0)
                .sorted(Comparator.comparingLong((Integer pool) -> -remainder(limit * shares.get(pool)))
                        .thenComparing(shares::get));
    }

    /** The part behind the point, coarse enough for equal ones to be equal. */
    private static long remainder(double slots) {
        return Math.round((slots - Math.floor(slots + ROUNDING)) * 1e6);
    }

    private static void atLeastOne(int limit, List<Double> shares, int[] slots) {
        int given = Arrays.stream(slots).sum();
        for (int pool = 0; pool < slots.length; pool++) {
            if (slots[pool] > 0 || shares.get(pool) == 0) {
                continue;
            }
            if (given < limit) {
                given++;
                slots[pool] = 1;
            } else {
                takeFromAnother(slots, pool);
            }
        }
    }

    /** From the pool with the most, or else from a later one. */
    private static void takeFromAnother(int[] slots, int pool) {
        int from = IntStream.range(0, slots.length)
                .boxed()
                .max(Comparator.comparingInt((Integer other) -> slots[other]))
                .orElseThrow();
        if (slots[from] == 1) {
            from = slots.length - 1;
            while (from > pool && slots[from] == 0) {
                from--;
            }
        }
        if (from != pool && slots[from] > 0 && (slots[from] > 1 || from > pool)) {
            slots[from]--;
            slots[pool] = 1;
        }
    }
}
