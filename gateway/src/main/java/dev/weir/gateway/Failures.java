package dev.weir.gateway;

import io.netty.channel.ConnectTimeoutException;
import io.vertx.core.Future;
import java.util.concurrent.TimeoutException;

/** What becomes of failed futures. */
final class Failures {

    private Failures() {}

    /** For steps whose failure is told on another way as well: by the exception handler of the same stream, or because it is closed anyway. */
    static void ignored(Future<?> future) {
        future.onFailure(failure -> {});
    }

    static boolean isTimeout(Throwable failure) {
        return failure instanceof ConnectTimeoutException || failure instanceof TimeoutException;
    }
}
