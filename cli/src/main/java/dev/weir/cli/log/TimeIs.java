package dev.weir.cli.log;

import java.util.Locale;

/** Which moment of a request the times of a log are. */
public enum TimeIs {
    /** The moment the request came: the time is taken as it is logged. Apache's {@code %t} is that. */
    START,
    /**
     * The moment the answer was sent: the duration, where the line has one, is taken off. nginx and most proxies write their lines, and so
     * their times, then.
     */
    END;

    /** The word of the command line. */
    public String optionName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
