package dev.weir.redis;

import dev.weir.rate.Charged;
import dev.weir.rate.Charged.Cause;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.Locale;
import java.util.concurrent.CompletionException;

/** What an error of the client or the server means. Never thrown: handed on. */
final class Trouble {

    private Trouble() {}

    private static final class NotConnected extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotConnected() {
            super("not connected", null, false, false);
        }
    }

    /** Nothing was sent, because nobody is connected. */
    static RuntimeException notConnected() {
        return new NotConnected();
    }

    static Throwable unwrapped(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }

    /** Whether the server said no by that word, such as MOVED; then nothing ran. */
    static boolean says(Throwable error, String word) {
        String message = unwrapped(error).getMessage();
        return unwrapped(error) instanceof RedisCommandExecutionException
                && message != null
                && (message.startsWith(word + " ")
                        || message.contains(" " + word + " ")
                        // As older servers tell what stopped a script.
                        || message.contains(" -" + word + " "));
    }

    /** Why it failed, in words for operators: what the innermost cause says. */
    static String why(Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }

    /**
     * The answer to a bill that met the error. When the server answers with an error nothing was charged: scripts read everything before they
     * write, and are not started without memory.
     */
    static Charged.Unavailable unavailable(Throwable error) {
        Throwable cause = unwrapped(error);
        if (cause instanceof NotConnected || isRejected(cause)) {
            return new Charged.Unavailable(Cause.CONNECTION_REFUSED, false);
        }
        if (cause instanceof RedisCommandExecutionException) {
            return new Charged.Unavailable(says(cause, "OOM") ? Cause.OUT_OF_MEMORY : Cause.ERROR, false);
        }
        return new Charged.Unavailable(Cause.CONNECTION_LOST, true);
    }

    private static boolean isRejected(Throwable cause) {
        String message = cause.getMessage();
        return message != null && message.toLowerCase(Locale.ROOT).contains("commands are rejected");
    }
}
