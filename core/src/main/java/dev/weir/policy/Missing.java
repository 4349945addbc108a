package dev.weir.policy;

/** What a limit does with a call that lacks its key, or whose key no plan row knows. */
public sealed interface Missing {

    /** Counts the call under another key. */
    record CountBy(Key key) implements Missing {
        @Override
        public String toString() {
            return key.toString();
        }
    }

    /** The limit does not apply. */
    record Skip() implements Missing {
        @Override
        public String toString() {
            return "skip";
        }
    }

    /** The call is refused. For a missing key: 400, or 401 when {@code unauthorized}. For an unknown one: 403, or 401. */
    record Reject(boolean unauthorized) implements Missing {
        @Override
        public String toString() {
            return unauthorized ? "reject-401" : "reject";
        }
    }

    /** For an unknown key only: it is counted under its own key, with the default plan. */
    record UseDefault() implements Missing {
        @Override
        public String toString() {
            return "default";
        }
    }
}
