package dev.weir.policy;

import dev.weir.rate.RateLimit;

/** What a limit, a plan or an override grants one key. */
public sealed interface Budget {

    /** Units over time: a rate or a quota. */
    record Rate(RateLimit limit) implements Budget {
        @Override
        public String toString() {
            return limit.toString();
        }
    }

    /** Calls in flight at once, each held until its permit ends. */
    record InFlight(int calls) implements Budget {
        public InFlight {
            if (calls < 0) {
                throw new IllegalArgumentException("in-flight " + calls + " is below 0");
            }
        }

        @Override
        public String toString() {
            return "in-flight " + calls;
        }
    }

    /** Never refused and not counted. */
    record Unlimited() implements Budget {
        @Override
        public String toString() {
            return "unlimited";
        }
    }

    /** Always refused, with 403: waiting does not help. */
    record Deny() implements Budget {
        @Override
        public String toString() {
            return "deny";
        }
    }
}
