package dev.weir.rate;

/**
 * The proof of a charge that a {@link RateStore} made, with which it can be corrected or given back, once, and what it holds in flight let
 * go, once. Opaque: only the kind of store that made it can read it. Thread safe.
 */
public interface Receipt {

    /** How many lines the bill had. */
    int lines();

    /** The receipt as printable text without spaces, for whoever ends the charge elsewhere; {@link RateStore#receipt} reads it. */
    String text();
}
