package dev.weir.policy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Who is counted: an expression over a call. Its text form is that of the policy file. */
public sealed interface Key {

    /** Everybody together. */
    record All() implements Key {
        @Override
        public String toString() {
            return "all";
        }
    }

    /** The client's address, cut to the prefix of {@link Identity}. */
    record ClientAddressKey() implements Key {
        @Override
        public String toString() {
            return "client-ip";
        }
    }

    /** The first value of a request header. */
    record Header(String name) implements Key {
        @Override
        public String toString() {
            return "header:" + name;
        }
    }

    /** A cookie's value. */
    record Cookie(String name) implements Key {
        @Override
        public String toString() {
            return "cookie:" + name;
        }
    }

    /** The first value of a query parameter, decoded. */
    record Query(String name) implements Key {
        @Override
        public String toString() {
            return "query:" + name;
        }
    }

    /** What a path pattern's <code>{variable}</code> stands for. */
    record PathVariable(String name) implements Key {
        @Override
        public String toString() {
            return "path:{" + name + "}";
        }
    }

    /** The host asked for, in lower case, without port. */
    record Host() implements Key {
        @Override
        public String toString() {
            return "host";
        }
    }

    /** The route that serves the call. */
    record Route() implements Key {
        @Override
        public String toString() {
            return "route";
        }
    }

    /** The request method. */
    record Method() implements Key {
        @Override
        public String toString() {
            return "method";
        }
    }

    /** An attribute that the service proved. */
    record Attribute(String name) implements Key {
        @Override
        public String toString() {
            return "attribute:" + name;
        }
    }

    /** Several parts together; missing when one of them is. Two different lists of parts never count as one key. */
    record Composite(List<Key> parts) implements Key {
        public Composite {
            parts = List.copyOf(parts);
            if (parts.size() < 2) {
                throw new IllegalArgumentException("a composite key has two parts or more");
            }
        }

        @Override
        public String toString() {
            return parts.stream().map(Key::toString).collect(Collectors.joining(", ", "[", "]"));
        }
    }

    /** Everybody together. */
    Key ALL = new All();
    /** The client's address. */
    Key CLIENT_IP = new ClientAddressKey();

    /** What {@link #parse} accepts, for error texts. */
    String GRAMMAR =
            "all, client-ip, header:NAME, cookie:NAME, query:NAME, path:{VARIABLE}, host, route, method, attribute:NAME, or a list of these";

    /** Reads one part of a key from its policy word. Throws {@link IllegalArgumentException} that says what is allowed. */
    static Key parse(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? "" : text.substring(colon + 1);
        Optional<Key> key = switch (colon < 0 ? text : text.substring(0, colon + 1)) {
            case "all" -> Optional.of(ALL);
            case "client-ip" -> Optional.of(CLIENT_IP);
            case "host" -> Optional.of(new Host());
            case "route" -> Optional.of(new Route());
            case "method" -> Optional.of(new Method());
            case "header:" -> Optional.of(new Header(requireToken(text, name)));
            case "cookie:" -> Optional.of(new Cookie(requireToken(text, name)));
            case "query:" -> Optional.of(name).filter(n -> !n.isEmpty()).map(Query::new);
            case "attribute:" -> Optional.of(name).filter(n -> !n.isEmpty()).map(Attribute::new);
            case "path:" ->
                Optional.of(name)
                        .filter(n -> n.matches("\\{[A-Za-z_][A-Za-z0-9_-]*\\}"))
                        .map(n -> new PathVariable(n.substring(1, n.length() - 1)));
            default -> Optional.empty();
        };
        return key.orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a key: " + GRAMMAR));
    }

    private static String requireToken(String text, String name) {
        if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
            throw new IllegalArgumentException(
                    "'" + text + "' does not name a header or cookie: letters, digits and !#$%&'*+-.^_`|~ only");
        }
        return name;
    }
}
