package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The latest decisions: the last {@value #SIZE} of all kinds, and the last {@value #SIZE} in which a limit refused, be it in shadow, so
 * that a busy minute does not bury them. Keeps references; what is told of them is made when somebody asks. Thread safe.
 */
final class RecentDecisions {

    static final int SIZE = 1_000;

    /** Of a longer path the beginning is kept. */
    static final int MAX_PATH_CHARS = 512;

    private final Ring all = new Ring();
    private final Ring refused = new Ring();
    private final AtomicLong decided = new AtomicLong();

    /**
     * What is kept of one decision; the permit is not.
     *
     * @param number counts the decisions from 1
     * @param reason why it was refused; null when it was not
     * @param speaker the limit that refused it
     * @param gate what its gate said
     * @param degrade in which cheaper ways it was to be served
     */
    record Entry(
            long number,
            long epochMillis,
            String requestId,
            @Nullable String route,
            String method,
            String path,
            @Nullable Reason reason,
            Optional<String> speaker,
            OptionalLong waitNanos,
            List<Decision.Judged> judged,
            List<Decision.Judged> shadows,
            Optional<Decision.Gated> gate,
            List<String> degrade) {

        boolean concerns(String limit) {
            return judged.stream().anyMatch(line -> line.limit().equals(limit))
                    || shadows.stream().anyMatch(line -> line.limit().equals(limit));
        }
    }

    /** Entries in the order of their coming; the oldest make room. */
    private static final class Ring {
        private final AtomicReferenceArray<@Nullable Entry> entries = new AtomicReferenceArray<>(SIZE);
        private final AtomicLong next = new AtomicLong();

        void add(Entry entry) {
            entries.setRelease((int) (next.getAndIncrement() % SIZE), entry);
        }

        void copyTo(Map<Long, Entry> copy) {
            for (int i = 0; i < SIZE; i++) {
                Entry entry = entries.getAcquire(i);
                if (entry != null) {
                    copy.put(entry.number(), entry);
                }
            }
        }
    }

    /** Keeps a decision. */
    void add(
            long epochMillis, String requestId, @Nullable String route, String method, String path, Decision decision) {
        Decision.@Nullable Rejected rejected = decision instanceof Decision.Rejected no ? no : null;
        Entry entry = new Entry(
                decided.incrementAndGet(),
                epochMillis,
                requestId,
                route,
                method,
                path.length() > MAX_PATH_CHARS ? path.substring(0, MAX_PATH_CHARS) : path,
                rejected == null ? null : rejected.reason(),
                rejected == null ? Optional.empty() : rejected.speaker(),
                rejected == null ? turn((Decision.Admitted) decision) : rejected.retryAfterNanos(),
                decision.judged(),
                decision.shadows(),
                decision.gate(),
                decision instanceof Decision.Admitted in ? in.degrade() : List.of());
        all.add(entry);
        if (rejected != null || anyRefused(decision.shadows()) || refusedByShadow(decision)) {
            refused.add(entry);
        }
    }

    private static OptionalLong turn(Decision.Admitted admitted) {
        return OptionalLong.of(admitted.turnNanos() + admitted.waitedNanos());
    }

    private static boolean refusedByShadow(Decision decision) {
        return decision.gate().isPresent() && decision.gate().get().refused().isPresent();
    }

    private static boolean anyRefused(List<Decision.Judged> lines) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).refused()) {
                return true;
            }
        }
        return false;
    }

    /** All that are kept, newest first. */
    List<Entry> newestFirst() {
        Map<Long, Entry> copy = new TreeMap<>(Comparator.reverseOrder());
        all.copyTo(copy);
        refused.copyTo(copy);
        return new ArrayList<>(copy.values());
    }
}
