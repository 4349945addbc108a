package dev.weir.policyfile;

import java.util.Locale;

/** The warnings there are. */
enum WarningName {
    ADDRESS_BEHIND_PROXY(
            "Proxies are trusted and the client's address is still that of the peer, or it is read from a header of trusted proxies and none are trusted: all clients of a proxy are one caller."),
    FORGEABLE_KEY(
            "Callers choose what they are counted by: a header that carries an address, or a header as the only key where neither a plan lookup turns strangers away nor a limit by address stands beside it."),
    FORGEABLE_COST("The cost is read from a header of trusted proxies, and none are trusted."),
    SECRET_IN_FILE("A secret stands in the file itself instead of the environment."),
    UNREACHABLE_LIMIT(
            "The limit never counts, or the gate never holds: all its calls are exempt, in its own except, counted by another limit instead, or held by an earlier gate."),
    COST_ABOVE_BURST("A call costs more than the budget, or that of a plan or override, can ever hold."),
    OPEN_ON_LOGIN(
            "A fleet limit on log-ins, or one that guards against abuse, lets everybody pass while the store is away."),
    QUOTA_IN_MEMORY("A quota over more than an hour is kept in memory: a restart forgets what was used."),
    WINDOW_DOUBLING(
            "A fixed window protects capacity or guards against abuse: across its edge twice the count may pass."),
    KEYS_PER_REFILL("At ten new keys a second, more than max-keys come while one refills."),
    LARGE_SLIDING_LOG("A sliding log keeps more than 100 times for each key."),
    QUEUE_NEVER_USED("Calls of every criticality are refused before they could wait in the gate's queue."),
    GUARANTEES_ABOVE_LIMIT(
            "A gate's pools are guaranteed more than it has: over 100%, or more pools than slots at the floor."),
    OVERRIDE_EXPIRED("An override has ended and changes nothing."),
    RATE_ROUNDED("The rate cannot be kept exactly; the one in force, which is a little lower, is printed."),
    RETRIES_MULTIPLY(
            "Calls are sent again without a budget, or with one above 50%: when all fail, the load is many times what it was."),
    NO_TIMEOUT(
            "An upstream does not say how long connecting to it or its answer may take, or a dependency how long a call to it may.");

    private final String meaning;

    WarningName(String meaning) {
        this.meaning = meaning;
    }

    /** As people see it. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** One sentence for the reference page. */
    String meaning() {
        return meaning;
    }
}
