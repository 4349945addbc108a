package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.Decision.Judged;
import dev.weir.http.HttpAnswer;
import dev.weir.policy.Answers;
import dev.weir.rate.Standing;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Puts refusals into words, and keeps the latest {@value #SIZE} wordings, because a caller over its limit mostly hears the same again and
 * again: what changes from call to call is told in whole seconds and units. Of what a refusal says, nothing is left out of the comparison.
 * Used on one event loop.
 */
final class Wordings {

    /** How many are kept; a power of two. */
    static final int SIZE = 64;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final @Nullable Kept[] kept = new Kept[SIZE];

    private record Kept(
            Decision.Rejected rejected,
            Answers answers,
            @Nullable String origin,
            OptionalLong retryAfterSeconds,
            Wording wording) {

        boolean fits(Decision.Rejected other, Answers how, @Nullable String asker, OptionalLong seconds) {
            return rejected.reason() == other.reason()
                    && retryAfterSeconds.equals(seconds)
                    && rejected.speaker().equals(other.speaker())
                    && sameLines(rejected.judged(), other.judged())
                    && answers.equals(how)
                    && Objects.equals(origin, asker);
        }
    }

    /**
     * What to say about a refusal.
     *
     * @param origin the request's Origin field; null when it has none
     */
    Wording of(Decision.Rejected rejected, Answers answers, @Nullable String origin, RandomGenerator random) {
        OptionalLong seconds = HttpAnswer.retryAfterSeconds(rejected, answers, random);
        int place = (31 * rejected.speaker().hashCode() + Long.hashCode(seconds.orElse(-1))) & (SIZE - 1);
        Kept before = kept[place];
        if (before != null && before.fits(rejected, answers, origin, seconds)) {
            return before.wording;
        }
        Wording wording = Wording.of(HttpAnswer.refusal(rejected, answers, origin, seconds));
        kept[place] = new Kept(rejected, answers, origin, seconds, wording);
        return wording;
    }

    private static boolean sameLines(List<Judged> ones, List<Judged> others) {
        boolean same = ones.size() == others.size();
        for (int at = 0; same && at < ones.size(); at++) {
            same = sameLine(ones.get(at), others.get(at));
        }
        return same;
    }

    /** Whether callers are told the same of both. */
    private static boolean sameLine(Judged one, Judged other) {
        return one.limit().equals(other.limit())
                && one.refused() == other.refused()
                && one.bare() == other.bare()
                && one.partitionKey().equals(other.partitionKey())
                && sameStanding(one.standing(), other.standing());
    }

    private static boolean sameStanding(Standing one, Standing other) {
        return one.remaining() == other.remaining()
                && one.quota() == other.quota()
                && one.concurrent() == other.concurrent()
                && one.windowSeconds().equals(other.windowSeconds())
                && one.resetNanos().isPresent() == other.resetNanos().isPresent()
                && seconds(one) == seconds(other);
    }

    /** Fields say a reset in whole seconds, rounded up. */
    private static long seconds(Standing standing) {
        return Math.floorDiv(standing.resetNanos().orElse(0) - 1, NANOS_PER_SECOND);
    }
}
