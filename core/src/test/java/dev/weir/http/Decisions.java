package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Decision.Judged;
import dev.weir.Permit;
import dev.weir.Reason;
import dev.weir.load.Criticality;
import dev.weir.rate.Standing;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Decisions as the tests of this package need them. Times in seconds, with fractions. */
final class Decisions {

    private Decisions() {}

    static Standing bucket(long burst, long windowSeconds, long remaining, double resetSeconds) {
        return new Standing(
                burst, OptionalLong.of(windowSeconds), remaining, OptionalLong.of(nanos(resetSeconds)), false, false);
    }

    static Standing window(long count, long windowSeconds, long remaining, double resetSeconds) {
        return new Standing(
                count, OptionalLong.of(windowSeconds), remaining, OptionalLong.of(nanos(resetSeconds)), true, false);
    }

    static Standing quota(long count, long remaining, double resetSeconds) {
        return new Standing(count, OptionalLong.empty(), remaining, OptionalLong.of(nanos(resetSeconds)), true, false);
    }

    static Standing inFlight(long most, long remaining) {
        return new Standing(most, OptionalLong.empty(), remaining, OptionalLong.empty(), false, true);
    }

    static Judged passed(String limit, Standing standing) {
        return new Judged(limit, "k", 1, standing, false, 0, false, Optional.empty());
    }

    static Judged refused(String limit, Standing standing, double waitSeconds) {
        return new Judged(limit, "k", 1, standing, true, nanos(waitSeconds), false, Optional.empty());
    }

    static Judged bare(Judged judged) {
        return new Judged(
                judged.limit(),
                judged.key(),
                judged.cost(),
                judged.standing(),
                judged.refused(),
                judged.waitNanos(),
                true,
                judged.partitionKey());
    }

    static Judged keyed(Judged judged, String partitionKey) {
        return new Judged(
                judged.limit(),
                judged.key(),
                judged.cost(),
                judged.standing(),
                judged.refused(),
                judged.waitNanos(),
                judged.bare(),
                Optional.of(partitionKey));
    }

    static Decision.Admitted admitted(Judged... judged) {
        return new Decision.Admitted(
                permit(), 0, List.of(), Criticality.CRITICAL, List.of(judged), List.of(), Optional.empty(), false, 0);
    }

    /** Refused by the limit with the longest wait. */
    static Decision.Rejected overLimit(Judged... judged) {
        Judged speaker = judged[0];
        for (Judged line : judged) {
            speaker = line.waitNanos() > speaker.waitNanos() ? line : speaker;
        }
        return rejected(Reason.OVER_LIMIT, OptionalLong.of(speaker.waitNanos()), speaker.limit(), judged);
    }

    static Decision.Rejected rejected(Reason reason, OptionalLong retryAfterNanos, String speaker, Judged... judged) {
        return new Decision.Rejected(
                reason, retryAfterNanos, Optional.of(speaker), List.of(judged), List.of(), Optional.empty(), false, 0);
    }

    static Decision.Rejected rejected(Reason reason, Judged... judged) {
        return new Decision.Rejected(
                reason, OptionalLong.empty(), Optional.empty(), List.of(judged), List.of(), Optional.empty(), false, 0);
    }

    static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }

    private static Permit permit() {
        return (Permit) Proxy.newProxyInstance(
                Permit.class.getClassLoader(), new Class<?>[] {Permit.class}, (proxy, method, arguments) -> {
                    throw new AssertionError("an answer does not touch the permit: " + method.getName());
                });
    }
}
