package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Decision.Judged;
import dev.weir.Reason;
import dev.weir.rate.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The body of a refusal (RFC 9457), for programs and for people. Immutable.
 *
 * @param type what kind of problem it is
 * @param title the kind in words, the same for every occurrence
 * @param status the status of the answer
 * @param detail what happened here and what the caller can do about it
 * @param reason Weir's own word for it, sent as {@code reason}
 * @param violatedPolicies the names of the limits that refused, sent as {@code violated-policies}; empty when none did
 */
public record ProblemDetails(
        Type type, String title, int status, String detail, Optional<Reason> reason, List<String> violatedPolicies) {

    /** The media type of {@link #json}. */
    public static final String MEDIA_TYPE = "application/problem+json";

    /** A registered problem type. The three of rate limiting come from draft-ietf-httpapi-ratelimit-headers. */
    public enum Type {
        /** The caller has used its share. */
        QUOTA_EXCEEDED("https://iana.org/assignments/http-problem-types#quota-exceeded"),
        /** The service can carry less than usual. */
        TEMPORARY_REDUCED_CAPACITY("https://iana.org/assignments/http-problem-types#temporary-reduced-capacity"),
        /** The caller's pattern of use looks wrong or hostile. No decision says this by itself; it is there for hosts that find out. */
        ABNORMAL_USAGE_DETECTED("https://iana.org/assignments/http-problem-types#abnormal-usage-detected"),
        /** The status says it all (RFC 9457 section 4.2.1). */
        ABOUT_BLANK("about:blank");

        private final String uri;

        Type(String uri) {
            this.uri = uri;
        }

        /** The type's identifier. */
        public String uri() {
            return uri;
        }
    }

    /** Copies the list. */
    public ProblemDetails {
        violatedPolicies = List.copyOf(violatedPolicies);
    }

    /**
     * What a refusal says. Limits that are {@code bare} are not named.
     *
     * @param retryAfterSeconds the Retry-After that is sent with it; empty when none is
     */
    public static ProblemDetails of(Decision.Rejected rejected, OptionalLong retryAfterSeconds) {
        Reason reason = rejected.reason();
        List<String> violated = new ArrayList<>(1);
        for (Judged judged : rejected.judged()) {
            if (judged.refused() && !judged.bare()) {
                violated.add(judged.limit());
            }
        }
        int status = HttpAnswer.status(reason);
        return new ProblemDetails(
                type(reason),
                title(status),
                status,
                detail(rejected, retryAfterSeconds),
                Optional.of(reason),
                violated);
    }

    private static Type type(Reason reason) {
        return switch (reason) {
            case OVER_LIMIT, COST_ABOVE_LIMIT, IN_FLIGHT_LIMIT -> Type.QUOTA_EXCEEDED;
            case DENIED, KEY_MISSING, KEY_MISSING_UNAUTHORIZED, KEY_UNKNOWN, KEY_UNKNOWN_UNAUTHORIZED ->
                Type.ABOUT_BLANK;
            case DRAINING, DEPENDENCY_OUT, STORE_AWAY, SHED, FULL, TENANT_SHARE, DEADLINE, WAIT_EXCEEDED ->
                Type.TEMPORARY_REDUCED_CAPACITY;
        };
    }

    private static String title(int status) {
        return switch (status) {
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 503 -> "The service has less capacity than usual for the moment";
            default -> "The quota for these requests is used up";
        };
    }

    private static String detail(Decision.Rejected rejected, OptionalLong retryAfterSeconds) {
        Optional<Judged> speaker = HttpAnswer.speaker(rejected);
        String limit = speaker.map(judged -> "Limit '" + judged.limit() + "'").orElse("A limit");
        Optional<Standing> standing = speaker.map(Judged::standing);
        String again = retryAfterSeconds.isPresent()
                ? "try again in " + count(retryAfterSeconds.getAsLong(), "second")
                : "waiting does not help";
        return switch (rejected.reason()) {
            case OVER_LIMIT ->
                limit
                        + standing.map(s -> " has " + s.remaining() + " of " + count(s.quota(), "unit") + " left")
                                .orElse(" has too little left")
                        + "; " + again + ".";
            case COST_ABOVE_LIMIT ->
                "This call costs more than "
                        + speaker.map(judged -> "limit '" + judged.limit() + "'")
                                .orElse("a limit")
                        + " ever holds"
                        + standing.map(s -> " (" + count(s.quota(), "unit") + ")")
                                .orElse("")
                        + "; waiting does not help, asking for less at once does.";
            case IN_FLIGHT_LIMIT ->
                limit + " allows "
                        + standing.map(s -> count(s.quota(), "call") + " at a time")
                                .orElse("no more calls at a time")
                        + "; try again when one of yours has ended.";
            case DENIED -> "This caller may not make this call; waiting does not help. Ask those who run the service.";
            case KEY_MISSING, KEY_MISSING_UNAUTHORIZED ->
                "This call does not say who is calling; send the key that the service asks for.";
            case KEY_UNKNOWN, KEY_UNKNOWN_UNAUTHORIZED ->
                "The key of this call is not known here; check it, or ask those who run the service.";
            case DRAINING -> "This instance is shutting down; " + again + ".";
            case DEPENDENCY_OUT -> "A service that this call needs cannot be reached; " + again + ".";
            case STORE_AWAY -> "It cannot be found out at the moment whether this call may be made; " + again + ".";
            case SHED ->
                "The service is close to full and keeps what it has left for calls that matter more; " + again + ".";
            case FULL -> "The service has as much work as it can carry; " + again + ".";
            case TENANT_SHARE ->
                "The service is busy and this tenant has its share of it already; " + again
                        + ", or when one of its calls has ended.";
            case DEADLINE -> "The service is busy and would get to this call after its deadline; " + again + ".";
            case WAIT_EXCEEDED -> "The service is busy and this call has waited as long as it may; " + again + ".";
        };
    }

    private static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    /** The JSON text, without line breaks. */
    public String json() {
        StringBuilder out = new StringBuilder(256);
        string(out.append("{\"type\":"), type.uri());
        string(out.append(",\"title\":"), title);
        out.append(",\"status\":").append(status);
        string(out.append(",\"detail\":"), detail);
        reason.ifPresent(word -> string(out.append(",\"reason\":"), word.wireName()));
        if (!violatedPolicies.isEmpty()) {
            out.append(",\"violated-policies\":");
            char separator = '[';
            for (String policy : violatedPolicies) {
                string(out.append(separator), policy);
                separator = ',';
            }
            out.append(']');
        }
        return out.append('}').toString();
    }

    /** A JSON string (RFC 8259 section 7). Half a surrogate pair is escaped, so that the text can be sent as UTF-8. */
    private static void string(StringBuilder out, String text) {
        out.append('"');
        int plain = plainChars(text);
        out.append(text, 0, plain);
        for (int at = plain; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f || Character.isSurrogate(c)) {
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(Character.forDigit(c >> shift & 0xf, 16));
                }
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /** How many characters at the start stand for themselves: mostly all. */
    private static int plainChars(String text) {
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"' || c == '\\' || c < ' ' || c >= 0x7f) {
                return at;
            }
        }
        return text.length();
    }
}
