package dev.weir.policy;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads keys off one call. An empty value is no key. */
final class KeyReader {

    private final Identity identity;
    private final Call call;
    private @Nullable String client;

    KeyReader(Identity identity, Call call) {
        this.identity = identity;
        this.call = call;
    }

    /** The key's text, or empty when the call lacks it. Variables are those of the first pattern of {@code match} that fits. */
    Optional<String> read(Key key, Match match) {
        String value = value(key, match);
        return value == null || value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    private @Nullable String value(Key key, Match match) {
        if (key instanceof Key.Header header) {
            return first(call.headers(header.name()));
        }
        if (key instanceof Key.ClientAddressKey) {
            return client();
        }
        if (key instanceof Key.All) {
            return "all";
        }
        if (key instanceof Key.Attribute attribute) {
            return call.attribute(attribute.name());
        }
        if (key instanceof Key.Cookie cookie) {
            return cookie(call, cookie.name());
        }
        if (key instanceof Key.Query query) {
            return queryParameter(call.query(), query.name());
        }
        if (key instanceof Key.PathVariable variable) {
            return pathVariable(match, variable.name());
        }
        if (key instanceof Key.Host) {
            return hostName(call.host());
        }
        if (key instanceof Key.Route) {
            return call.route();
        }
        if (key instanceof Key.Method) {
            return call.method();
        }
        return composite(((Key.Composite) key).parts(), match);
    }

    private String client() {
        String known = client;
        if (known == null) {
            known = ClientAddress.caller(identity, call);
            client = known;
        }
        return known;
    }

    private @Nullable String pathVariable(Match match, String name) {
        for (PathPattern pattern : match.path()) {
            if (pattern.matches(call.path())) {
                return pattern.variable(call.path(), name);
            }
        }
        return null;
    }

    /** The parts as a JSON array of strings: whatever they contain, two different lists never have the same text. */
    private @Nullable String composite(List<Key> parts, Match match) {
        StringBuilder text = new StringBuilder("[");
        for (Key part : parts) {
            String value = value(part, match);
            if (value == null || value.isEmpty()) {
                return null;
            }
            text.append(text.length() == 1 ? "\"" : ",\"");
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if (c == '"' || c == '\\') {
                    text.append('\\');
                }
                text.append(c);
            }
            text.append('"');
        }
        return text.append(']').toString();
    }

    /** The first line of a header, which alone counts; null when there is none. */
    static @Nullable String first(List<String> lines) {
        return lines.isEmpty() ? null : lines.get(0).trim();
    }

    /** The host in lower case, without port and without the root's dot. */
    static @Nullable String hostName(@Nullable String host) {
        if (host == null) {
            return null;
        }
        String name = host.trim().toLowerCase(Locale.ROOT);
        int colon = name.startsWith("[") ? name.indexOf(':', Math.max(0, name.indexOf(']'))) : name.indexOf(':');
        name = colon >= 0 ? name.substring(0, colon) : name;
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /** The first cookie of that name (RFC 6265, section 4.2); names are case-sensitive. */
    static @Nullable String cookie(Call call, String name) {
        for (String line : call.headers("Cookie")) {
            for (String pair : line.split(";", 0)) {
                int equals = pair.indexOf('=');
                if (equals > 0 && pair.substring(0, equals).trim().equals(name)) {
                    String value = pair.substring(equals + 1).trim();
                    boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
                    return quoted ? value.substring(1, value.length() - 1) : value;
                }
            }
        }
        return null;
    }

    /** The first parameter of that name, decoded as forms are; one that cannot be decoded is taken as it is. */
    static @Nullable String queryParameter(@Nullable String query, String name) {
        if (query == null) {
            return null;
        }
        for (String pair : query.split("&", 0)) {
            int equals = pair.indexOf('=');
            if (decoded(equals < 0 ? pair : pair.substring(0, equals)).equals(name)) {
                return equals < 0 ? "" : decoded(pair.substring(equals + 1));
            }
        }
        return null;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
