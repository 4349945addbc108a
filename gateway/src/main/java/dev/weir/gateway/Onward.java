package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.client.Sending;
import dev.weir.policy.CallHeaders;
import dev.weir.policy.TimeLeft;
import io.vertx.core.MultiMap;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What the next hop is told of how the call matters and how long it has: its criticality, the time its caller will still wait, how often
 * it has been tried, and in which cheaper way it is to be served. A trusted peer is believed; what others say of it goes no further. Pure.
 */
final class Onward {

    /** In which cheaper ways a call is to be served: modes of the policy, separated by commas. */
    static final String DEGRADE = "Weir-Degrade";
    /** Which attempt of a call this is, from 1: a hop that is told does not try again by itself. */
    static final String ATTEMPT = Sending.ATTEMPT_FIELD;

    private Onward() {}

    /** Whether a field of a request says something of this that must not go on as it came. */
    static boolean isReplaced(String name, CallHeaders headers, boolean trusted) {
        return switch (name.length()) {
            case 12 ->
                name.equalsIgnoreCase(DEGRADE)
                        || (!trusted && name.equalsIgnoreCase(ATTEMPT))
                        || isNamed(name, headers);
            default -> isNamed(name, headers);
        };
    }

    private static boolean isNamed(String name, CallHeaders headers) {
        return headers.criticality().filter(name::equalsIgnoreCase).isPresent()
                || headers.deadline().filter(name::equalsIgnoreCase).isPresent();
    }

    /** How long the caller will still wait; empty when no trusted peer says so. */
    static OptionalLong timeLeftNanos(MultiMap request, CallHeaders headers, boolean trusted, long sinceArrivalNanos) {
        if (!trusted || headers.deadline().isEmpty()) {
            return OptionalLong.empty();
        }
        String name = headers.deadline().get();
        String said = request.get(name);
        OptionalLong left = said == null ? OptionalLong.empty() : TimeLeft.nanos(name, said);
        return left.isPresent() ? OptionalLong.of(left.getAsLong() - sinceArrivalNanos) : left;
    }

    /** Says it to the next hop. */
    static void write(MultiMap fields, Decision.Admitted admitted, CallHeaders headers, OptionalLong timeLeftNanos) {
        headers.criticality()
                .ifPresent(name -> fields.set(name, admitted.criticality().policyName()));
        if (headers.deadline().isPresent() && timeLeftNanos.isPresent()) {
            String name = headers.deadline().get();
            fields.set(name, TimeLeft.text(name, timeLeftNanos.getAsLong()));
        }
        if (!admitted.degrade().isEmpty()) {
            fields.set(DEGRADE, String.join(", ", admitted.degrade()).toLowerCase(Locale.ROOT));
        }
    }
}
