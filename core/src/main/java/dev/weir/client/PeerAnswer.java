package dev.weir.client;

import java.util.Locale;

/**
 * How a dependency took what was sent to it.
 *
 * @param kind whether it took it
 * @param advice what it says about sending more
 */
public record PeerAnswer(Kind kind, PeerAdvice advice) {

    /** Whether a dependency took what was sent to it. */
    public enum Kind {
        /** It did its work, well or with an error that says nothing about load. */
        ACCEPTED,
        /** It had no room, and said so. */
        REFUSED,
        /** No answer, or one that broke off: it may have done some of the work. */
        FAILED,
        /** Nothing reached it: no connection could be made. */
        UNSENT,
        /** It says nothing: whoever asked gave up first. */
        IGNORED;

        /** The word of metrics and documents: {@code refused}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** It did its work. */
    public static final PeerAnswer ACCEPTED = new PeerAnswer(Kind.ACCEPTED, PeerAdvice.NONE);
    /** It had no room. */
    public static final PeerAnswer REFUSED = new PeerAnswer(Kind.REFUSED, PeerAdvice.NONE);
    /** It did not answer. */
    public static final PeerAnswer FAILED = new PeerAnswer(Kind.FAILED, PeerAdvice.NONE);
    /** Nothing reached it. */
    public static final PeerAnswer UNSENT = new PeerAnswer(Kind.UNSENT, PeerAdvice.NONE);
    /** It says nothing. */
    public static final PeerAnswer IGNORED = new PeerAnswer(Kind.IGNORED, PeerAdvice.NONE);

    /** Whether it took what was sent. */
    public boolean accepted() {
        return kind == Kind.ACCEPTED;
    }
}
