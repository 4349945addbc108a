package dev.weir;

/** Held while admitted work runs; ends exactly once. */
public interface Permit extends AutoCloseable {
    @Override
    void close();
}
