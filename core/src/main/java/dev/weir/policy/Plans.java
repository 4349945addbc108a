package dev.weir.policy;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Which plan a caller is on.
 *
 * @param source where the plan of a call is looked up; empty when the policy has no plans
 * @param defaultPlan the plan of callers that the source does not know; empty: they get the limit's own budget
 */
public record Plans(Optional<Source> source, Optional<String> defaultPlan) {

    /** No plans. */
    public static final Plans NONE = new Plans(Optional.empty(), Optional.empty());

    /** The plan that the source knows for the call, whose own key is given where it has one; empty when it knows none. */
    Optional<String> planOf(Call call, boolean trusted, Optional<String> key, Instant now) {
        Source from = source.orElse(null);
        if (from instanceof Source.Attribute attribute) {
            return Optional.ofNullable(call.attribute(attribute.name())).filter(plan -> !plan.isEmpty());
        }
        if (from instanceof Source.Header header) {
            return trusted
                    ? call.headers(header.name()).stream()
                            .findFirst()
                            .map(String::trim)
                            .filter(plan -> !plan.isEmpty())
                    : Optional.empty();
        }
        return key.flatMap(text -> rowOf(text, now));
    }

    /** The plan that a list of keys names for a key; empty when it names none, and where plans are not listed. */
    Optional<String> rowOf(String key, Instant now) {
        if (!(source.orElse(null) instanceof Source.Rows rows)) {
            return Optional.empty();
        }
        return Optional.ofNullable(rows.rows().get(KeyDigest.sha256(key)))
                .filter(row -> row.until().isEmpty() || now.isBefore(row.until().get()))
                .map(Row::plan);
    }

    /** Where a plan is looked up. */
    public sealed interface Source {
        /** The plan's name is an attribute that the service proved. */
        record Attribute(String name) implements Source {}

        /** The plan's name is a request header, believed from trusted proxies only. */
        record Header(String name) implements Source {}

        /**
         * A list of keys and their plans, by the limit's own key.
         *
         * @param rows by the lower-case hexadecimal SHA-256 of the UTF-8 key
         */
        record Rows(Map<String, Row> rows) implements Source {
            public Rows {
                rows = Map.copyOf(rows);
            }
        }
    }

    /**
     * One caller's plan.
     *
     * @param plan its name
     * @param until the first instant at which the row no longer holds; empty: it holds for ever
     */
    public record Row(String plan, Optional<Instant> until) {}
}
