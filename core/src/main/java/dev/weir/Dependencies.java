package dev.weir;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which of the services that calls need are out. Pools name what they {@code need}: while one of that is out their calls are refused before
 * anything is charged, or served in the way that a degrade step {@code without} it names. Thread safe.
 *
 * <p>Out means for a time: who finds out says until when, and the calls after that find out again.
 */
public final class Dependencies {

    /** More names than this are not remembered: they come from the code that calls, not from callers. */
    private static final int MAX_NAMES = 10_000;

    private final Ticker ticker;
    private final ConcurrentHashMap<String, Long> outUntilNanos = new ConcurrentHashMap<>();

    Dependencies(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * Says that a dependency cannot be used for that long from now: a breaker opened, it answered that it will be back then, its health check
     * failed. A later word replaces an earlier one.
     *
     * @throws IllegalArgumentException when the pause is not above zero
     */
    public void out(String name, Duration pause) {
        if (pause.isZero() || pause.isNegative()) {
            throw new IllegalArgumentException(
                    "dependency '" + name + "' is out for " + pause + ": it must be above 0");
        }
        if (outUntilNanos.size() < MAX_NAMES || outUntilNanos.containsKey(name)) {
            outUntilNanos.put(name, ticker.nanos() + nanos(pause));
        }
    }

    private static long nanos(Duration pause) {
        return pause.compareTo(Duration.ofDays(365)) > 0 ? Duration.ofDays(365).toNanos() : pause.toNanos();
    }

    /** Says that it can be used again. */
    public void back(String name) {
        outUntilNanos.remove(name);
    }

    /** How long it will still be out, in nanoseconds; empty when it can be used, or nobody has said otherwise. */
    public OptionalLong outForNanos(String name) {
        Long until = outUntilNanos.get(name);
        long left = until == null ? 0 : until - ticker.nanos();
        return left > 0 ? OptionalLong.of(left) : OptionalLong.empty();
    }

    /** The names of those that are out now, in order. */
    public List<String> out() {
        return outUntilNanos.keySet().stream()
                .filter(name -> outForNanos(name).isPresent())
                .sorted()
                .toList();
    }
}
