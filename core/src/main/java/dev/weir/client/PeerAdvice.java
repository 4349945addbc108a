package dev.weir.client;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a dependency says about sending it more. It can only make us slower: a larger budget than our own is not used.
 *
 * @param pauseNanos for how long it wants nothing at all, from the moment of its answer; empty when it does not say
 * @param limits what it says is left
 */
public record PeerAdvice(OptionalLong pauseNanos, List<Limit> limits) {

    /** It says nothing. */
    public static final PeerAdvice NONE = new PeerAdvice(OptionalLong.empty(), List.of());

    /**
     * What one of its limits says.
     *
     * @param name its name; empty where it has none
     * @param remaining units left, not negative
     * @param resetNanos in how long more comes, from the moment of the answer; empty when it does not say
     * @param partitionKey who was counted; empty when it does not say
     */
    public record Limit(Optional<String> name, long remaining, OptionalLong resetNanos, Optional<String> partitionKey) {

        /** A limit without a name. */
        public static Limit of(long remaining, long resetNanos) {
            return new Limit(Optional.empty(), remaining, OptionalLong.of(resetNanos), Optional.empty());
        }
    }

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException when the pause is below 0
     */
    public PeerAdvice {
        if (pauseNanos.orElse(0) < 0) {
            throw new IllegalArgumentException("a pause of " + pauseNanos.getAsLong() + " ns: it cannot be below 0");
        }
        limits = List.copyOf(limits);
    }

    /** It wants nothing for so long. */
    public static PeerAdvice pause(long pauseNanos) {
        return new PeerAdvice(OptionalLong.of(pauseNanos), List.of());
    }

    /** It says what is left. */
    public static PeerAdvice left(Limit... limits) {
        return new PeerAdvice(OptionalLong.empty(), List.of(limits));
    }
}
