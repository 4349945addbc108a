package dev.weir.gateway;

/** A call that is neither refused nor over. Used on the event loop of its client's connection. */
interface UnderWay {

    /** Looks whether nothing has moved for too long, and ends the call then. */
    void endIfOverdue(long nowNanos);
}
