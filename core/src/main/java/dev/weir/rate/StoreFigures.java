package dev.weir.rate;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How a store has been doing, as one instance sees it. Counts are since the start.
 *
 * @param state whether it is asked at present
 * @param calls bills that were decided or tried
 * @param commands commands sent to the store for them and for what was given back; several bills may share one
 * @param unavailable bills without an answer, by cause
 * @param lostGiveBacks corrections that did not arrive, so that what was charged stays
 * @param overflowed bills charged to a shared overflow key, because this instance had written as many keys of the limit as it may
 * @param keys keys that this instance has written and not yet seen expire
 * @param maxmemoryPolicy what the store does when its memory is full; empty while that is not known. Anything but {@code noeviction} forgets counts
 * @param evicted keys that the store threw out to make room, since this instance first looked; their counts are lost
 * @param trouble why the store cannot be used, in words for operators, such as a wrong password; empty while nothing is known against it
 */
public record StoreFigures(
        State state,
        long calls,
        long commands,
        Map<Charged.Cause, Long> unavailable,
        long lostGiveBacks,
        long overflowed,
        long keys,
        Optional<String> maxmemoryPolicy,
        long evicted,
        Optional<String> trouble) {

    /** Whether a store is asked. */
    public enum State {
        /** It answers; every bill goes there. */
        CLOSED,
        /** It failed several times in a row; bills are answered without it. */
        OPEN,
        /** It failed; the next bill finds out whether it is back. */
        HALF_OPEN;

        /** The word of metrics and logs: {@code half-open}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Whether counts may vanish from the store before their time: it evicts when memory is full. */
    public boolean evicts() {
        return maxmemoryPolicy.isPresent() && !maxmemoryPolicy.get().equals("noeviction");
    }
}
