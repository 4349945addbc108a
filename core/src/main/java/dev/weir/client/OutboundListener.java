package dev.weir.client;

/** Is told when a dependency cannot be used, and when it can again. Must not block; what it throws goes no further. */
public interface OutboundListener {

    /** Hears nothing. */
    OutboundListener NONE = new OutboundListener() {
        @Override
        public void out(String dependency, long forNanos) {}

        @Override
        public void back(String dependency) {}
    };

    /** The dependency cannot be used for so long: it said so, or it turns nearly everything away. A later word replaces an earlier one. */
    void out(String dependency, long forNanos);

    /** An answer of the dependency asked for a pause of so long, which is kept from now on. */
    default void paused(String dependency, long forNanos) {}

    /** The dependency took a call after it had been out. */
    void back(String dependency);
}
