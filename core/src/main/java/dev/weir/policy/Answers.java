package dev.weir.policy;

import java.util.Locale;

/**
 * How decisions are told to callers.
 *
 * @param fields which generation of the RateLimit fields is sent
 * @param jitterBasisPoints by how many hundredths of a percent of the wait a Retry-After that many keys share may be raised, 0 to 10,000
 * @param skipPreflight whether CORS preflights pass uncounted
 * @param reflectOrigin whether the refusal of a call with an Origin can be read by that origin
 */
public record Answers(Generation fields, int jitterBasisPoints, boolean skipPreflight, boolean reflectOrigin) {

    /** Draft 11 fields, 10 % jitter, preflights skipped, origin reflected. */
    public static final Answers DEFAULT = new Answers(Generation.DRAFT_11, 1_000, true, true);

    /** A generation of the RateLimit fields on the wire. */
    public enum Generation {
        /** Lists of strings, as revisions 08 to 11 of the draft write them. */
        DRAFT_11,
        /** One dictionary, as revision 07 writes it. */
        DRAFT_7,
        /** {@code RateLimit-Limit}, {@code -Remaining}, {@code -Reset}, as revisions up to 06 write them. */
        DRAFT_6,
        /** {@code X-RateLimit-Limit}, {@code -Remaining}, {@code -Reset}; the reset in seconds from now. */
        X_RATELIMIT,
        /** No fields. */
        OFF;

        /** The word of the policy file. */
        public String policyName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
