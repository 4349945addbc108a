package dev.weir.policy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern over a normalised path. {@code *} stands for one whole segment, <code>{name}</code> for one and remembers it, {@code **} for
 * any number of segments, none included: {@code /x/**} also matches {@code /x} and {@code /x/}. Everything else is compared as it is,
 * case included. Immutable.
 */
public final class PathPattern {

    private final String text;
    private final List<String> segments;

    private PathPattern(String text, List<String> segments) {
        this.text = text;
        this.segments = segments;
    }

    /** Reads a pattern. Throws {@link IllegalArgumentException} when it does not begin with a slash or uses a wildcard within a segment. */
    public static PathPattern parse(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("path '" + text + "' does not begin with a slash, such as /api/**");
        }
        List<String> segments = split(text);
        for (String segment : segments) {
            boolean wildcard = segment.equals("*") || segment.equals("**") || variable(segment) != null;
            if (!wildcard && (segment.contains("*") || segment.contains("{") || segment.contains("}"))) {
                throw new IllegalArgumentException("path '" + text + "': '" + segment
                        + "' mixes a wildcard with text; *, ** and {name} stand for whole segments");
            }
        }
        return new PathPattern(text, List.copyOf(segments));
    }

    private static List<String> split(String path) {
        List<String> segments = new ArrayList<>();
        int start = 1;
        for (int slash = path.indexOf('/', 1); slash >= 0; slash = path.indexOf('/', start)) {
            segments.add(path.substring(start, slash));
            start = slash + 1;
        }
        segments.add(path.substring(start));
        return segments;
    }

    private static @Nullable String variable(String segment) {
        boolean braces = segment.length() > 2 && segment.startsWith("{") && segment.endsWith("}");
        String name = braces ? segment.substring(1, segment.length() - 1) : "";
        return name.matches("[A-Za-z_][A-Za-z0-9_-]*") ? name : null;
    }

    /** Whether the path fits. */
    public boolean matches(String path) {
        return path.equals(text);
    }

    /** What the variable stands for. */
    public @Nullable String variable(String path, String name) {
        return null;
    }

    /** The names of its variables, in order. */
    public List<String> variables() {
        List<String> names = new ArrayList<>();
        for (String segment : segments) {
            String name = variable(segment);
            if (name != null) {
                names.add(name);
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
