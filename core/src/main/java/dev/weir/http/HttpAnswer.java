package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Decision.Judged;
import dev.weir.Reason;
import dev.weir.policy.Answers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What HTTP says about a decision. Immutable, and a pure function of the decision but for the draw that spreads callers out.
 *
 * <p>A refusal is 429 for a caller over its budget, 503 when this process cannot carry the call, 403, 400 or 401 where waiting cannot
 * help. All are {@code Cache-Control: no-store}. Retry-After stands where waiting helps: in whole seconds, rounded up, at least 1, never
 * before the reset of the limit that speaks; 1 for a limit on calls in flight. A granted answer never has one. Both carry the RateLimit
 * fields of the limits that judged the call.
 *
 * <p>When the limit that speaks is {@code bare} the caller gets the status, no-store and nothing else; 401 keeps its challenge, which HTTP
 * demands.
 *
 * <p>A refusal of a call with an Origin can be read by that origin, unless {@code answers.cors} is off. A 401 carries {@code
 * WWW-Authenticate: ApiKey}, because RFC 9110 section 11.6.1 demands a challenge: browsers do not know the scheme and so open no password
 * window, and the key may be in any header.
 *
 * <p>Field values are safe to send: limits have printable names, an Origin that is more than visible ASCII is not reflected.
 *
 * @param status the status; for a granted call 200, which stands for whatever the handler answers
 * @param fields header fields by name, in order; on a granted answer to be merged with those it has ({@link RateLimitFields#merged})
 * @param body the body; empty when there is none
 */
public record HttpAnswer(int status, Map<String, String> fields, Optional<String> body) {

    /** The challenge of a 401. */
    private static final String CHALLENGE = "ApiKey realm=\"api\"";

    private static final int MAX_ORIGIN_CHARS = 1_024;

    /** Copies the fields and keeps their order. */
    public HttpAnswer {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /**
     * What to say about any decision.
     *
     * @param origin the request's Origin field; null when it has none
     * @param random draws how far callers that could all return at one instant are spread
     */
    public static HttpAnswer of(Decision decision, Answers answers, @Nullable String origin, RandomGenerator random) {
        return decision.fold(
                admitted -> granted(admitted, answers, origin), rejected -> refusal(rejected, answers, origin, random));
    }

    /**
     * What to add to the answer of a call that was let in: the RateLimit fields and, for a call with an Origin, their names in
     * Access-Control-Expose-Headers. Whether that origin may read the answer at all is for the handler to say.
     */
    public static HttpAnswer granted(Decision.Admitted admitted, Answers answers, @Nullable String origin) {
        Map<String, String> fields = RateLimitFields.of(admitted.judged(), Optional.empty(), answers.fields());
        if (answers.reflectOrigin() && origin != null && !fields.isEmpty()) {
            fields = new LinkedHashMap<>(fields);
            fields.put("Access-Control-Expose-Headers", String.join(", ", fields.keySet()));
        }
        return new HttpAnswer(200, fields, Optional.empty());
    }

    /** The whole answer to a call that was refused. */
    public static HttpAnswer refusal(
            Decision.Rejected rejected, Answers answers, @Nullable String origin, RandomGenerator random) {
        return refusal(rejected, answers, origin, retryAfterSeconds(rejected, answers, random));
    }

    /**
     * The same when the draw has been made.
     *
     * @param retryAfterSeconds what {@link #retryAfterSeconds} answered
     */
    public static HttpAnswer refusal(
            Decision.Rejected rejected, Answers answers, @Nullable String origin, OptionalLong retryAfterSeconds) {
        int status = status(rejected.reason());
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("Cache-Control", "no-store");
        if (status == 401) {
            fields.put("WWW-Authenticate", CHALLENGE);
        }
        if (isBare(rejected)) {
            return new HttpAnswer(status, fields, Optional.empty());
        }
        if (retryAfterSeconds.isPresent()) {
            fields.put(RetryAfter.FIELD, Long.toString(retryAfterSeconds.getAsLong()));
        }
        Map<String, String> rateLimit = RateLimitFields.of(rejected.judged(), rejected.speaker(), answers.fields());
        fields.putAll(rateLimit);
        fields.put("Content-Type", ProblemDetails.MEDIA_TYPE);
        if (answers.reflectOrigin() && origin != null && isReflectable(origin)) {
            fields.put("Access-Control-Allow-Origin", origin);
            fields.put("Vary", "Origin");
            List<String> told = new ArrayList<>(rateLimit.keySet());
            if (retryAfterSeconds.isPresent()) {
                told.add(0, RetryAfter.FIELD);
            }
            if (!told.isEmpty()) {
                fields.put("Access-Control-Expose-Headers", String.join(", ", told));
            }
        }
        String body = ProblemDetails.of(rejected, retryAfterSeconds).json();
        return new HttpAnswer(status, fields, Optional.of(body));
    }

    /** The status of a refusal. */
    public static int status(Reason reason) {
        return switch (reason) {
            case OVER_LIMIT, COST_ABOVE_LIMIT, IN_FLIGHT_LIMIT -> 429;
            case DENIED, KEY_UNKNOWN -> 403;
            case KEY_MISSING -> 400;
            case KEY_MISSING_UNAUTHORIZED, KEY_UNKNOWN_UNAUTHORIZED -> 401;
            case DRAINING, DEPENDENCY_OUT, STORE_AWAY, SHED, FULL, TENANT_SHARE, DEADLINE, WAIT_EXCEEDED -> 503;
        };
    }

    /** The line of the limit that speaks; empty when no limit does. */
    static Optional<Judged> speaker(Decision.Rejected rejected) {
        String name = rejected.speaker().orElse(null);
        for (Judged judged : rejected.judged()) {
            if (judged.limit().equals(name)) {
                return Optional.of(judged);
            }
        }
        return Optional.empty();
    }

    /**
     * When the caller of a refused call may come back, in seconds from now: what Retry-After says. Empty where waiting does not help or
     * the limit that speaks is bare.
     *
     * @param random draws how far callers that could all return at one instant are spread
     */
    public static OptionalLong retryAfterSeconds(Decision.Rejected rejected, Answers answers, RandomGenerator random) {
        OptionalLong waitNanos = rejected.retryAfterNanos();
        return switch (rejected.reason()) {
            case COST_ABOVE_LIMIT,
                    DENIED,
                    KEY_MISSING,
                    KEY_MISSING_UNAUTHORIZED,
                    KEY_UNKNOWN,
                    KEY_UNKNOWN_UNAUTHORIZED -> OptionalLong.empty();
            case IN_FLIGHT_LIMIT -> isBare(rejected) ? OptionalLong.empty() : OptionalLong.of(1);
            case DRAINING -> OptionalLong.of(RetryAfter.wholeSeconds(waitNanos.orElse(0)));
            case DEPENDENCY_OUT, STORE_AWAY, SHED, FULL, TENANT_SHARE, DEADLINE, WAIT_EXCEEDED ->
                OptionalLong.of(RetryAfter.spreadSeconds(waitNanos.orElse(0), random));
            case OVER_LIMIT -> {
                Optional<Judged> speaker = speaker(rejected);
                if (waitNanos.isEmpty() || isBare(rejected)) {
                    yield OptionalLong.empty();
                }
                long nanos = waitNanos.getAsLong();
                yield OptionalLong.of(
                        speaker.isEmpty()
                                ? RetryAfter.wholeSeconds(nanos)
                                : RetryAfter.seconds(
                                        nanos, speaker.get().standing(), answers.jitterBasisPoints(), random));
            }
        };
    }

    private static boolean isBare(Decision.Rejected rejected) {
        return speaker(rejected).filter(Judged::bare).isPresent();
    }

    private static boolean isReflectable(String origin) {
        return !origin.isEmpty()
                && origin.length() <= MAX_ORIGIN_CHARS
                && origin.chars().allMatch(c -> c > ' ' && c < 0x7f && c != ',' && c != '"');
    }
}
