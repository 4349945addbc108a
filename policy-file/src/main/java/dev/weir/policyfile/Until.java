package dev.weir.policyfile;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** The end of something that holds for a while. */
final class Until {

    private Until() {}

    /** The first instant at which it no longer holds. A date lasts through its day in UTC. */
    static Instant parse(String text) {
        try {
            if (text.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}")) {
                return LocalDate.parse(text)
                        .plusDays(1)
                        .atStartOfDay(ZoneOffset.UTC)
                        .toInstant();
            }
            if (text.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}T.*")) {
                return Instant.parse(text);
            }
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(wrong(text), e);
        }
        throw new IllegalArgumentException(wrong(text));
    }

    private static String wrong(String text) {
        return "'" + Value.shown(text)
                + "' is neither a date such as 2030-12-31, which lasts through that day in UTC, nor an instant such as 2030-06-30T12:00:00Z";
    }
}
