package dev.weir.gateway;

import io.netty.channel.ConnectTimeoutException;
import io.vertx.core.Future;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** What becomes of failed futures. */
final class Failures {

    private Failures() {}

    /** For steps whose failure is told on another way as well: by the exception handler of the same stream, or because it is closed anyway. */
    static void ignored(Future<?> future) {
        future.onFailure(failure -> {});
    }

    /** What TLS found wrong, in the words of whoever knows it best; empty when something else failed. */
    static Optional<String> ofTls(Throwable failure) {
        boolean tls = false;
        Throwable last = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            tls |= cause instanceof SSLException || cause instanceof GeneralSecurityException;
            last = cause;
        }
        return tls ? Optional.of(String.valueOf(last.getMessage())) : Optional.empty();
    }

    static boolean isTimeout(Throwable failure) {
        return failure instanceof ConnectTimeoutException || failure instanceof TimeoutException;
    }
}
