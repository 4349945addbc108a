package dev.weir.rate;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Short texts by name that all instances of a fleet share, kept in the store: what was changed at run time. Set on one instance, they are in
 * force on all within a second, survive restarts and expire. Thread safe; no stage completes exceptionally.
 */
public interface FleetSettings {

    /** The most settings at once. */
    int MAX_SETTINGS = 10_000;
    /** The longest name or value, in characters. */
    int MAX_LENGTH = 4_096;

    /**
     * Sets a value.
     *
     * @param name 1 to {@link #MAX_LENGTH} characters
     * @param value at most {@link #MAX_LENGTH} characters
     * @param until the first instant at which it no longer holds, by the store's clock; empty: it holds until removed
     * @return the version that has it; empty when the store gave no answer, or there are {@link #MAX_SETTINGS} already
     */
    CompletionStage<Optional<Long>> put(String name, String value, Optional<Instant> until);

    /** What the store's clock is believed to show, by which settings end. */
    Instant now();

    /** Removes a value; answers the version that no longer has it, empty when the store gave no answer. */
    CompletionStage<Optional<Long>> remove(String name);

    /** What this instance knows, as one consistent state. Before the store was heard it is empty, of version 0. */
    Snapshot snapshot();

    /** Has every new snapshot told to {@code listener}, on a thread of the store, on which it must not block. */
    void onChange(Consumer<Snapshot> listener);

    /** Throws unless name and value are as long as they may be. For those who implement stores. */
    static void requireSetting(String name, String value) {
        if (name.isEmpty() || name.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "the name of a setting has " + name.length() + " characters: 1 to " + MAX_LENGTH + " are allowed");
        }
        if (value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("setting " + name + " has " + value.length() + " characters: at most "
                    + MAX_LENGTH + " are allowed");
        }
    }

    /**
     * All settings at one version.
     *
     * @param version rises with every change by anybody
     * @param settings by name
     */
    record Snapshot(long version, Map<String, Setting> settings) {}

    /**
     * One setting.
     *
     * @param value its text
     * @param until the first instant at which it no longer holds; empty: until removed
     */
    record Setting(String value, Optional<Instant> until) {}
}
