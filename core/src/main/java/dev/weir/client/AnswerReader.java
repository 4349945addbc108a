package dev.weir.client;

import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Says how a dependency took what was sent, from what the work returned or threw. Must be quick; thread safe. */
@FunctionalInterface
public interface AnswerReader<T> {

    /** Reads what came: a result, which may be null, or a failure, which is null when there is a result. */
    PeerAnswer read(@Nullable T result, @Nullable Throwable failure);

    /**
     * By the failure alone. What could not be connected was not sent; who has no room for more work has refused it; an interrupt or a
     * cancelled future says nothing; any other checked exception and a timeout are failures. Everything else, such as a
     * NullPointerException, is an error of ours.
     */
    static <T> AnswerReader<T> byFailure() {
        return (result, failure) -> ofFailure(failure);
    }

    /** What a failure says; none says that the work was done. */
    static PeerAnswer ofFailure(@Nullable Throwable failure) {
        Throwable cause = cause(failure);
        if (cause == null) {
            return PeerAnswer.ACCEPTED;
        }
        if (cause instanceof ConnectException
                || cause instanceof NoRouteToHostException
                || cause instanceof UnknownHostException
                || cause instanceof HttpConnectTimeoutException) {
            return PeerAnswer.UNSENT;
        }
        if (cause instanceof RejectedExecutionException) {
            return PeerAnswer.REFUSED;
        }
        if (cause instanceof InterruptedException || cause instanceof CancellationException) {
            return PeerAnswer.IGNORED;
        }
        boolean ours = cause instanceof RuntimeException || cause instanceof Error;
        return ours && !(cause instanceof UncheckedIOException) ? PeerAnswer.ACCEPTED : PeerAnswer.FAILED;
    }

    /** What lies below the wrappings of futures. */
    private static @Nullable Throwable cause(@Nullable Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
