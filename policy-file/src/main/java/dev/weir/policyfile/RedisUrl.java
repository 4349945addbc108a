package dev.weir.policyfile;

import dev.weir.policy.StoreSettings.Login;
import dev.weir.policy.StoreSettings.Node;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a Redis server, as its tools write it.
 *
 * @param tls whether it is spoken to in secret: {@code rediss}
 * @param port as given
 * @param login as given, percent signs resolved
 * @param database as given
 */
record RedisUrl(boolean tls, String host, OptionalInt port, Optional<Login> login, OptionalInt database) {

    private static final Pattern FORM = Pattern.compile("([A-Za-z0-9+.-]+)://(?:([^@/?#]*)@)?([^@/?#]*)(.*)");
    private static final Pattern DATABASE = Pattern.compile("/(0|[1-9][0-9]{0,4})");

    /** Reads it. Throws {@link IllegalArgumentException} with what is wrong, and never with the password. */
    static RedisUrl parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "this is not " + Definitions.REDIS_URL.grammar() + "; signs in a password are written as %40");
        }
        String scheme = form.group(1);
        if (!scheme.equals("redis") && !scheme.equals("rediss")) {
            throw new IllegalArgumentException("'" + Value.shown(scheme) + "' is not one of: redis, rediss (with TLS)"
                    + Nearest.hint(scheme, List.of("redis", "rediss")));
        }
        HostPort at = HostPort.parse(form.group(3));
        if (at.port().isPresent() && at.port().getAsInt() == 0) {
            throw new IllegalArgumentException("nothing is reached at port 0: say one from 1 to " + HostPort.MAX_PORT);
        }
        return new RedisUrl(
                scheme.equals("rediss"), at.host(), at.port(), login(form.group(2)), database(form.group(4)));
    }

    private static Optional<Login> login(@Nullable String given) {
        if (given == null) {
            return Optional.empty();
        }
        int colon = given.indexOf(':');
        String user = colon < 0 ? given : given.substring(0, colon);
        String password = colon < 0 ? "" : decoded(given.substring(colon + 1));
        if (password.isEmpty()) {
            throw new IllegalArgumentException("the URL names a user and no password: say redis://USER:PASSWORD@HOST");
        }
        return Optional.of(new Login(user.isEmpty() ? Optional.empty() : Optional.of(decoded(user)), password));
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the user or the password has a % that is not one of %00 to %FF: write it as %25", e);
        }
    }

    private static OptionalInt database(String rest) {
        if (rest.isEmpty() || rest.equals("/")) {
            return OptionalInt.empty();
        }
        Matcher number = DATABASE.matcher(rest);
        if (!number.matches()) {
            throw new IllegalArgumentException("'" + Value.shown(rest)
                    + "' is not the number of a database: redis://HOST:PORT/0, without query or fragment");
        }
        return OptionalInt.of(Integer.parseInt(number.group(1)));
    }

    /** Where it listens. */
    Node node(int defaultPort) {
        return new Node(host, port.orElse(defaultPort));
    }
}
