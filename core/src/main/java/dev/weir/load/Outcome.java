package dev.weir.load;

/** How admitted work ended. */
public enum Outcome {
    /** It was done, well or with an error that says nothing about load. */
    SUCCESS,
    /** It failed in a way that says the system is overloaded: a timeout, a refusal further down. */
    DROPPED,
    /** It says nothing: the caller left, or nobody told. */
    IGNORED
}
