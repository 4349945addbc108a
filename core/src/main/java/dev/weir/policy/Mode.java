package dev.weir.policy;

/**
 * Whether a limit acts.
 *
 * @param kind what it does
 * @param shareBasisPoints of the keys under {@link Kind#PARTIAL}, how many hundredths of a percent are enforced; the rest are shadow
 */
public record Mode(Kind kind, int shareBasisPoints) {

    /** What a limit does with its verdict. */
    public enum Kind {
        /** It refuses. */
        ENFORCE,
        /** It is judged and recorded, and never refuses. */
        SHADOW,
        /** It does not exist. */
        OFF,
        /** It is enforced for a share of the keys and shadow for the rest. */
        PARTIAL
    }

    public static final Mode ENFORCE = new Mode(Kind.ENFORCE, 10_000);
    public static final Mode SHADOW = new Mode(Kind.SHADOW, 0);
    public static final Mode OFF = new Mode(Kind.OFF, 0);

    /** Enforced for this many hundredths of a percent of the keys, 0 to 10,000, chosen by a hash salted with the limit's name. */
    public static Mode share(int basisPoints) {
        if (basisPoints < 0 || basisPoints > 10_000) {
            throw new IllegalArgumentException("a share of " + basisPoints / 100.0 + "% is not from 0% to 100%");
        }
        return new Mode(Kind.PARTIAL, basisPoints);
    }
}
