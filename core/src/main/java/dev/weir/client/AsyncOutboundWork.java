package dev.weir.client;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Work that asks a dependency without a thread that waits, and says how it was taken. */
public interface AsyncOutboundWork<T> {

    /** Sends it. Called once for each attempt, on whichever thread has leave to; quick. What it throws is as a stage that fails. */
    CompletionStage<T> send(Sending attempt);

    /** How it was taken; see {@link AnswerReader}. */
    PeerAnswer read(@Nullable T result, @Nullable Throwable failure);

    /** Lets go what an answer holds that is not used because of another attempt. */
    default void discard(T result) {}
}
