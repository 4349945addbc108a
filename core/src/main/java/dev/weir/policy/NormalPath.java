package dev.weir.policy;

import java.util.Optional;

/**
 * The form of a path that policies match, so that {@code /api/../admin} and {@code /%61dmin} are what they lead to. Pure functions.
 *
 * <p>Normal form is RFC 3986 section 6.2.2 for paths: escapes of unreserved characters decoded, hexadecimal digits in upper case, dot
 * segments removed; and one slash where several stand together, or a limit on {@code /api/**} could be passed with {@code //api}. An
 * encoded slash stays encoded. Escapes are decoded once.
 *
 * <p>Some targets have no form that all readers agree on. {@link #ambiguity} names them; a proxy that forwards the target as it came
 * refuses them, since the server behind it may read something else than the policy did. {@link #of} takes them all the same, for logs.
 */
public final class NormalPath {

    private NormalPath() {}

    /**
     * The normal form of a raw path without query. Always begins with a slash, but for {@code *} (OPTIONS of a whole server). A percent
     * sign that begins no escape becomes {@code %25}. Idempotent: the normal form of a normal form is itself. Never throws.
     */
    public static String of(String rawPath) {
        if (isPlain(rawPath) || rawPath.equals("*")) {
            return rawPath;
        }
        return withoutDotSegments(withNormalEscapes(rawPath));
    }

    /** Whether it is normal at first sight: most paths are. */
    private static boolean isPlain(String path) {
        if (path.isEmpty() || path.charAt(0) != '/') {
            return false;
        }
        for (int at = 0; at < path.length(); at++) {
            char c = path.charAt(at);
            boolean suspect = c == '/' || c == '.';
            if (c == '%' || (at > 0 && suspect && path.charAt(at - 1) == '/')) {
                return false;
            }
        }
        return true;
    }

    /** The same text with escapes of unreserved characters decoded (RFC 3986 section 2.3) and all others in upper case. */
    static String withNormalEscapes(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        StringBuilder out = new StringBuilder(path.length() + 8);
        for (int at = 0; at < path.length(); at++) {
            char c = path.charAt(at);
            if (c != '%') {
                out.append(c);
            } else if (!isEscape(path, at)) {
                out.append("%25");
            } else {
                int octet = octet(path, at);
                if (isUnreserved(octet)) {
                    out.append((char) octet);
                } else {
                    out.append('%')
                            .append(Character.toUpperCase(path.charAt(at + 1)))
                            .append(Character.toUpperCase(path.charAt(at + 2)));
                }
                at += 2;
            }
        }
        return out.toString();
    }

    private static String withoutDotSegments(String path) {
        StringBuilder out = new StringBuilder(path.length() + 1);
        int start = path.startsWith("/") ? 1 : 0;
        while (true) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            boolean ordinary = end > start && !isDotSegment(path, start, end);
            if (ordinary) {
                out.append('/').append(path, start, end);
            } else if (end - start == 2) {
                out.setLength(Math.max(0, out.lastIndexOf("/")));
            }
            if (slash < 0) {
                return ordinary ? out.toString() : out.append('/').toString();
            }
            start = end + 1;
        }
    }

    private static boolean isDotSegment(String path, int start, int end) {
        int length = end - start;
        return (length == 1 || length == 2) && path.charAt(start) == '.' && path.charAt(end - 1) == '.';
    }

    /** The raw path of a request target: without query and fragment, and in absolute form without scheme and authority. Never throws. */
    public static String pathOf(String rawTarget) {
        int end = pathEnd(rawTarget);
        int start = pathStart(rawTarget, end);
        return start == end ? "/" : rawTarget.substring(start, end);
    }

    /** The query of a request target without its question mark, still encoded; empty when it has none. Never throws. */
    public static Optional<String> queryOf(String rawTarget) {
        int fragment = rawTarget.indexOf('#');
        int end = fragment < 0 ? rawTarget.length() : fragment;
        int mark = rawTarget.indexOf('?');
        return mark < 0 || mark >= end ? Optional.empty() : Optional.of(rawTarget.substring(mark + 1, end));
    }

    private static int pathEnd(String target) {
        for (int at = 0; at < target.length(); at++) {
            if (target.charAt(at) == '?' || target.charAt(at) == '#') {
                return at;
            }
        }
        return target.length();
    }

    /** Behind {@code http://authority}; the beginning where there is none. */
    private static int pathStart(String target, int end) {
        int scheme = schemeChars(target);
        if (scheme == 0) {
            return 0;
        }
        int slash = target.indexOf('/', scheme);
        return slash < 0 || slash > end ? end : slash;
    }

    private static int schemeChars(String target) {
        return target.regionMatches(true, 0, "http://", 0, 7)
                ? 7
                : target.regionMatches(true, 0, "https://", 0, 8) ? 8 : 0;
    }

    /**
     * Why two readers could read this request target differently; empty when they could not. A proxy answers 400 with the reason. Looked
     * for: control characters and a fragment anywhere; in the path a backslash, an encoded slash or backslash, dot segments however they
     * are written, {@code ;} in a dot segment, {@code //}, encoded control characters, percent signs that begin no escape and characters
     * that are not ASCII; and a target that is neither a path, nor absolute, nor {@code *}. Whether an absolute target names the right
     * host is for the caller to see. Never throws.
     */
    public static Optional<String> ambiguity(String rawTarget) {
        for (int at = 0; at < rawTarget.length(); at++) {
            char c = rawTarget.charAt(at);
            if (c <= ' ' || c == 0x7f) {
                return Optional.of("a control character or a space");
            }
            if (c == '#') {
                return Optional.of("a fragment");
            }
        }
        int end = pathEnd(rawTarget);
        int start = pathStart(rawTarget, end);
        if ((start == end && start > 0) || rawTarget.equals("*")) {
            return Optional.empty();
        }
        if (start == end || rawTarget.charAt(start) != '/') {
            return Optional.of("neither a path, nor an absolute form, nor *");
        }
        return pathAmbiguity(rawTarget.substring(start, end));
    }

    private static Optional<String> pathAmbiguity(String path) {
        for (int at = 0; at < path.length(); at++) {
            char c = path.charAt(at);
            if (c > 0x7e) {
                return Optional.of("a character that is not ASCII");
            }
            if (c == '\\') {
                return Optional.of("a backslash");
            }
            if (c == '%') {
                if (!isEscape(path, at)) {
                    return Optional.of("a percent sign that begins no escape");
                }
                int octet = octet(path, at);
                if (octet == '/' || octet == '\\') {
                    return Optional.of("an encoded slash or backslash");
                }
                if (octet < ' ' || octet == 0x7f) {
                    return Optional.of("an encoded control character");
                }
            }
        }
        String normal = withNormalEscapes(path);
        if (normal.contains("//")) {
            return Optional.of("two slashes together");
        }
        for (int start = 1; start <= normal.length(); ) {
            int slash = normal.indexOf('/', start);
            int end = slash < 0 ? normal.length() : slash;
            int parameter = firstOf(normal.indexOf(';', start), normal.indexOf("%3B", start), end);
            if (isDotSegment(normal, start, parameter)) {
                return Optional.of(parameter == end ? "a dot segment" : "a semicolon in a dot segment");
            }
            start = end + 1;
        }
        return Optional.empty();
    }

    private static int firstOf(int one, int other, int otherwise) {
        int first = one < 0 ? otherwise : Math.min(one, otherwise);
        return other < 0 ? first : Math.min(first, other);
    }

    private static boolean isEscape(String path, int at) {
        return at + 2 < path.length() && hex(path.charAt(at + 1)) >= 0 && hex(path.charAt(at + 2)) >= 0;
    }

    private static int octet(String path, int at) {
        return hex(path.charAt(at + 1)) << 4 | hex(path.charAt(at + 2));
    }

    private static int hex(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }
}
