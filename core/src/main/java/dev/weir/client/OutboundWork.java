package dev.weir.client;

import org.jspecify.annotations.Nullable;

/** Work that asks a dependency, and says how it was taken. Used by several threads at once only as far as the work itself allows. */
public interface OutboundWork<T> {

    /** Sends it, and waits for the answer. Called once for each attempt. */
    T send(Sending attempt) throws Exception;

    /** How it was taken; see {@link AnswerReader}. */
    PeerAnswer read(@Nullable T result, @Nullable Throwable failure);

    /** Lets go what an answer holds that is not used because of another attempt. */
    default void discard(T result) {}
}
