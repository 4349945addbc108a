package dev.weir.http;

import dev.weir.client.PeerAdvice;
import dev.weir.client.PeerAnswer;
import dev.weir.client.PeerAnswer.Kind;
import dev.weir.http.RateLimitFields.QuotaPolicy;
import dev.weir.http.RateLimitFields.ServiceLimit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What an HTTP response says about sending more requests to where it came from. Pure functions; nothing that comes over the wire throws.
 *
 * <p>429 and 503 are refusals, and so are 403 and 413 that say when to come back. 408, 502 and 504 are failures: the work may have been
 * done. Everything else is an answer, whatever it says about the request.
 *
 * <p>A refusal's Retry-After counts before its RateLimit fields; without it the farthest reset of what is used up does; a limit that tells no reset has one within the window
 * of its policy. A reset at this very moment is one in a second. A granted answer's Retry-After means something else and is ignored. So is all advice of a response that a
 * cache kept, which its Age tells. Moments are judged by the response's own Date, where it has one.
 */
public final class PeerAnswers {

    /** A wait in milliseconds that some servers send beside Retry-After. */
    public static final String RETRY_AFTER_MS = "Retry-After-Ms";

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final Set<Integer> REFUSALS = Set.of(429, 503);
    private static final Set<Integer> REFUSALS_WITH_A_TIME = Set.of(403, 413);
    private static final Set<Integer> FAILURES = Set.of(408, 502, 504);

    private PeerAnswers() {}

    /**
     * How the server took the request, and what it advises.
     *
     * @param status the response's status
     * @param headers the lines of a field by its name in any case, in order; empty when it is absent
     * @param now the local time, for responses without a Date
     * @param milliseconds whether {@value #RETRY_AFTER_MS} is believed
     */
    public static PeerAnswer of(int status, Function<String, List<String>> headers, Instant now, boolean milliseconds) {
        if (isCached(headers)) {
            return new PeerAnswer(kind(status, false), PeerAdvice.NONE);
        }
        Instant serverNow = serverNow(headers, now);
        boolean mayRefuse = REFUSALS.contains(status) || REFUSALS_WITH_A_TIME.contains(status);
        List<PeerAdvice.Limit> limits = limits(headers, serverNow);
        OptionalLong pause = mayRefuse ? pause(headers, limits, serverNow, milliseconds) : OptionalLong.empty();
        return new PeerAnswer(kind(status, pause.isPresent()), new PeerAdvice(pause, limits));
    }

    /** As {@link #of(int, Function, Instant, boolean)}, without {@value #RETRY_AFTER_MS}. */
    public static PeerAnswer of(int status, Function<String, List<String>> headers, Instant now) {
        return of(status, headers, now, false);
    }

    private static Kind kind(int status, boolean saysWhen) {
        if (REFUSALS.contains(status) || (saysWhen && REFUSALS_WITH_A_TIME.contains(status))) {
            return Kind.REFUSED;
        }
        return FAILURES.contains(status) ? Kind.FAILED : Kind.ACCEPTED;
    }

    /** An age of zero is an answer that has just come through a cache. */
    private static boolean isCached(Function<String, List<String>> headers) {
        return headers.apply("Age").stream().anyMatch(age -> !age.strip().matches("0*"));
    }

    /** The server's time as its Date says it, the local time when it does not. */
    static Instant serverNow(Function<String, List<String>> headers, Instant now) {
        return headers.apply("Date").stream()
                .filter(line -> line.length() <= 64)
                .flatMap(line -> RetryAfter.date(line.strip(), now).stream())
                .findFirst()
                .orElse(now);
    }

    private static OptionalLong pause(
            Function<String, List<String>> headers,
            List<PeerAdvice.Limit> limits,
            Instant serverNow,
            boolean milliseconds) {
        OptionalLong millis = milliseconds ? millis(headers.apply(RETRY_AFTER_MS)) : OptionalLong.empty();
        if (millis.isPresent()) {
            return millis;
        }
        OptionalLong seconds = RetryAfter.receivedSeconds(headers.apply(RetryAfter.FIELD), serverNow);
        return seconds.isPresent() ? OptionalLong.of(nanos(seconds.getAsLong())) : reset(limits);
    }

    private static OptionalLong reset(List<PeerAdvice.Limit> limits) {
        return limits.stream()
                .filter(limit -> limit.remaining() == 0)
                .flatMapToLong(limit -> limit.resetNanos().stream())
                .max();
    }

    private static OptionalLong millis(List<String> lines) {
        return lines.stream()
                .map(String::strip)
                .filter(line -> line.matches("[0-9]{1,12}"))
                .mapToLong(line -> Long.parseLong(line) * 1_000_000L)
                .max();
    }

    /** What is left by the newest fields that can be read, of limits that count requests over time. */
    private static List<PeerAdvice.Limit> limits(Function<String, List<String>> headers, Instant serverNow) {
        Function<String, List<String>> standard = name -> name.startsWith("X-") ? List.of() : headers.apply(name);
        List<ServiceLimit> told = RateLimitFields.read(standard, serverNow);
        if (told.isEmpty()) {
            return VendorFields.read(headers, serverNow).stream()
                    .map(limit -> limit(limit, limit.resetSeconds()))
                    .toList();
        }
        Map<String, QuotaPolicy> policies =
                RateLimitFields.readPolicies(headers.apply(RateLimitFields.RATE_LIMIT_POLICY)).stream()
                        .collect(Collectors.toMap(QuotaPolicy::name, policy -> policy, (one, other) -> one));
        return told.stream().flatMap(limit -> limit(limit, policies).stream()).toList();
    }

    /** A limit as its policy completes it; empty when it counts something else than requests. */
    private static Optional<PeerAdvice.Limit> limit(ServiceLimit told, Map<String, QuotaPolicy> policies) {
        Optional<QuotaPolicy> policy = told.name().map(policies::get);
        if (policy.flatMap(QuotaPolicy::unit)
                .filter(unit -> !unit.equals("requests"))
                .isPresent()) {
            return Optional.empty();
        }
        OptionalLong window = policy.map(QuotaPolicy::windowSeconds).orElseGet(OptionalLong::empty);
        return Optional.of(limit(told, told.resetSeconds().isPresent() ? told.resetSeconds() : window));
    }

    private static PeerAdvice.Limit limit(ServiceLimit told, OptionalLong resetSeconds) {
        boolean now = told.remaining() == 0 && resetSeconds.orElse(1) == 0;
        return new PeerAdvice.Limit(
                told.name(),
                told.remaining(),
                resetSeconds.isPresent()
                        ? OptionalLong.of(nanos(now ? 1 : resetSeconds.getAsLong()))
                        : OptionalLong.empty(),
                told.partitionKey());
    }

    private static long nanos(long seconds) {
        return seconds > RetryAfter.MAX_SECONDS ? Long.MAX_VALUE : seconds * NANOS_PER_SECOND;
    }
}
