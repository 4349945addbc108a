package dev.weir.cli.size;

import java.util.Locale;

/** How far a size can be trusted. */
public enum Sure {
    /** The knee was passed, lies between enough points, and no single one of them decides where. */
    HIGH,
    /** The knee was passed, but few points say where it lies. */
    MEDIUM,
    /** The test did not show the knee, or its points disagree. */
    LOW;

    /** The word in reports: {@code high}, {@code medium} or {@code low}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
