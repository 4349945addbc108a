package dev.weir.client;

import dev.weir.client.PeerAnswer.Kind;
import java.util.Locale;
import java.util.Set;

/** When a piece of work may be done again. */
public enum Repeat {
    /** Doing it twice is as good as doing it once. */
    SAFE,
    /** Only when nothing of it has been sent: doing it twice would do it twice. */
    UNSENT_ONLY,
    /** Never: what it sends can be had only once. */
    NEVER;

    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY");

    /**
     * When a request may be repeated.
     *
     * @param method its method
     * @param keyed whether it carries an idempotency key, by which the other side knows it again
     * @param bodyRepeatable whether its body, if it has one, can be sent a second time
     */
    public static Repeat of(String method, boolean keyed, boolean bodyRepeatable) {
        return of(method, keyed, bodyRepeatable, Set.of());
    }

    /** As {@link #of(String, boolean, boolean)}; the methods given, in capitals, are safe as well. */
    public static Repeat of(String method, boolean keyed, boolean bodyRepeatable, Set<String> alsoSafe) {
        if (!bodyRepeatable) {
            return NEVER;
        }
        String name = method.toUpperCase(Locale.ROOT);
        return keyed || IDEMPOTENT.contains(name) || alsoSafe.contains(name) ? SAFE : UNSENT_ONLY;
    }

    /** Whether it may be done again after such an answer. */
    public boolean after(Kind kind) {
        return switch (kind) {
            case REFUSED, FAILED -> this == SAFE;
            case UNSENT -> this != NEVER;
            case ACCEPTED, IGNORED -> false;
        };
    }
}
