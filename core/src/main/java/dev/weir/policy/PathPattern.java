package dev.weir.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A pattern over a normalised path. {@code *} stands for one whole segment, <code>{name}</code> for one and remembers it, {@code **} for
 * any number of segments, none included: {@code /x/**} also matches {@code /x} and {@code /x/}. Everything else is compared as it is,
 * case included. Immutable.
 *
 * <p>{@code *} and <code>{name}</code> want a segment with something in it, so {@code /x/*} does not match {@code /x/} and no variable is
 * ever empty. A path without a leading slash ({@code OPTIONS *}) is taken as one segment, so {@code /**} matches every call.
 *
 * <p>Matching allocates nothing. Like a glob it only ever goes back to the last {@code **} passed, because an earlier one could not do
 * better; so the steps are at most the segments of the path times those of the pattern, whatever is sent.
 */
public final class PathPattern {

    private enum Kind {
        TEXT,
        ANY,
        VARIABLE,
        ANY_NUMBER
    }

    /** One segment. {@code text} is what to compare, in normal escapes; of a variable its name; empty otherwise. */
    private record Segment(Kind kind, String text) {}

    private final String text;
    private final Segment[] segments;

    private PathPattern(String text, Segment[] segments) {
        this.text = text;
        this.segments = segments;
    }

    /**
     * Reads a pattern. Throws {@link IllegalArgumentException}, saying what is allowed, when it does not begin with a slash, mixes a
     * wildcard with text, names a variable twice, or could never match a normalised path: {@code //}, dot segments, query or fragment.
     */
    public static PathPattern parse(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("path '" + text + "' does not begin with a slash, such as /api/**");
        }
        if (text.indexOf('?') >= 0 || text.indexOf('#') >= 0) {
            throw new IllegalArgumentException("path '" + text
                    + "' holds a query or a fragment: a pattern is over the path alone; match a query with query:");
        }
        List<Segment> segments = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int start = 1;
        while (start <= text.length()) {
            int slash = text.indexOf('/', start);
            int end = slash < 0 ? text.length() : slash;
            Segment segment = segment(text, NormalPath.withNormalEscapes(text.substring(start, end)));
            if (slash >= 0 && segment.text().isEmpty() && segment.kind() == Kind.TEXT) {
                throw new IllegalArgumentException("path '" + text
                        + "' has two slashes together, which a normalised path never has: leave one out");
            }
            if (segment.kind() == Kind.VARIABLE && !names.add(segment.text())) {
                throw new IllegalArgumentException("path '" + text + "' names the variable {" + segment.text()
                        + "} twice: give each its own name");
            }
            segments.add(segment);
            start = end + 1;
        }
        return new PathPattern(text, segments.toArray(Segment[]::new));
    }

    private static Segment segment(String pattern, String segment) {
        if (segment.equals("**")) {
            return new Segment(Kind.ANY_NUMBER, "");
        }
        if (segment.equals("*")) {
            return new Segment(Kind.ANY, "");
        }
        boolean braces = segment.length() > 2 && segment.startsWith("{") && segment.endsWith("}");
        String name = braces ? segment.substring(1, segment.length() - 1) : "";
        if (name.matches("[A-Za-z_][A-Za-z0-9_-]*")) {
            return new Segment(Kind.VARIABLE, name);
        }
        if (segment.contains("*") || segment.contains("{") || segment.contains("}")) {
            throw new IllegalArgumentException("path '" + pattern + "': '" + segment
                    + "' mixes a wildcard with text; *, ** and {name} stand for whole segments");
        }
        if (segment.equals(".") || segment.equals("..")) {
            throw new IllegalArgumentException("path '" + pattern
                    + "' has a dot segment, which a normalised path never has: write the path it leads to");
        }
        return new Segment(Kind.TEXT, segment);
    }

    /** Whether the normalised path, without query, fits. Never throws. */
    public boolean matches(String path) {
        return match(path, -1) >= 0;
    }

    /**
     * What the variable stands for in the path; null when the path does not fit or the pattern has no such variable. Where {@code **}
     * leaves a choice it takes as few segments as it can, those on the left first. Never empty, never throws.
     */
    public @Nullable String variable(String path, String name) {
        for (int index = 0; index < segments.length; index++) {
            if (segments[index].kind() == Kind.VARIABLE
                    && segments[index].text().equals(name)) {
                int start = match(path, index);
                return start < 0 ? null : path.substring(start, segmentEnd(path, start));
            }
        }
        return null;
    }

    /** Where the segment begins that the pattern's segment {@code wanted} stands for; 0 when none is wanted; negative when the path does not fit. */
    private int match(String path, int wanted) {
        int found = 0;
        int index = 0;
        int at = path.startsWith("/") ? 1 : 0;
        int retryIndex = -1;
        int retryAt = 0;
        while (at <= path.length()) {
            if (index < segments.length && segments[index].kind() == Kind.ANY_NUMBER) {
                index++;
                retryIndex = index;
                retryAt = at;
                continue;
            }
            int end = segmentEnd(path, at);
            if (index < segments.length && fits(segments[index], path, at, end)) {
                found = index == wanted ? at : found;
                index++;
                at = end + 1;
            } else if (retryIndex >= 0) {
                retryAt = segmentEnd(path, retryAt) + 1;
                at = retryAt;
                index = retryIndex;
            } else {
                return -1;
            }
        }
        while (index < segments.length && segments[index].kind() == Kind.ANY_NUMBER) {
            index++;
        }
        return index == segments.length ? found : -1;
    }

    private static boolean fits(Segment segment, String path, int start, int end) {
        return segment.kind() == Kind.TEXT
                ? end - start == segment.text().length() && path.startsWith(segment.text(), start)
                : end > start;
    }

    private static int segmentEnd(String path, int start) {
        int slash = path.indexOf('/', start);
        return slash < 0 ? path.length() : slash;
    }

    /** The segments that every matching path begins with, without the leading slash; empty when a wildcard comes first. */
    Optional<String> literalPrefix() {
        int literals = 0;
        while (literals < segments.length && segments[literals].kind() == Kind.TEXT) {
            literals++;
        }
        return literals == 0
                ? Optional.empty()
                : Optional.of(
                        Arrays.stream(segments, 0, literals).map(Segment::text).collect(Collectors.joining("/")));
    }

    /** The names of its variables, in order. */
    public List<String> variables() {
        List<String> names = new ArrayList<>();
        for (Segment segment : segments) {
            if (segment.kind() == Kind.VARIABLE) {
                names.add(segment.text());
            }
        }
        return names;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PathPattern that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The pattern as it was written. */
    @Override
    public String toString() {
        return text;
    }
}
