package dev.weir.policy;

import java.util.List;
import java.util.Optional;

/** How many units one call takes from a limit. */
public sealed interface Cost {

    /** The same for every call. 0 passes always and counts nothing. */
    record Fixed(long units) implements Cost {
        public Fixed {
            if (units < 0) {
                throw new IllegalArgumentException("cost " + units + " is below 0");
            }
        }
    }

    /** A request header's whole number, clamped to 1..burst; 1 when it is missing or no number, or when the peer is not a trusted proxy. */
    record FromHeader(String name) implements Cost {}

    /** The first rule that matches decides; 1 when none does. */
    record ByMatch(List<Rule> rules) implements Cost {
        public ByMatch {
            rules = List.copyOf(rules);
        }

        /** A condition and what a call costs under it. */
        public record Rule(Match match, long units) {
            public Rule {
                if (units < 0) {
                    throw new IllegalArgumentException("cost " + units + " is below 0");
                }
            }
        }
    }

    /** An estimate when the call comes, corrected when its answer is known. */
    record Estimated(long units, SettleBy settleBy) implements Cost {
        public Estimated {
            if (units < 0) {
                throw new IllegalArgumentException("estimate " + units + " is below 0");
            }
        }
    }

    /** Where the true cost is read once the answer is known. */
    sealed interface SettleBy {
        /** A response header's whole number. */
        record ResponseHeader(String name) implements SettleBy {}

        /** The bytes of the response body. */
        record ResponseBytes() implements SettleBy {}

        /** How long the answer took, in whole milliseconds, rounded up. */
        record DurationMillis() implements SettleBy {}
    }

    /** A cost as a header says it: digits only, with spaces around them; one of more than eighteen digits is as much as eighteen can say. */
    static Optional<Long> wholeNumber(String text) {
        String digits = text.trim();
        if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        return Optional.of(digits.length() <= 18 ? Long.parseLong(digits) : 999_999_999_999_999_999L);
    }

    /** One unit a call. */
    Cost ONE = new Fixed(1);
}
