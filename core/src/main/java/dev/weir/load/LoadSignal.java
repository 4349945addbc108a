package dev.weir.load;

/** Something that says how busy this process or what it uses is. Thread safe and quick: gates ask ten times a second. */
public interface LoadSignal {

    /** The name under which policies refer to it. */
    String name();

    /** The present value, in a unit of its own: shares from 0 to 1, times in nanoseconds. Not a number when it cannot be told. */
    double value();
}
