package dev.weir.policyfile;

import dev.weir.policy.AddressRange;
import dev.weir.policy.Match;
import dev.weir.policy.PathPattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads conditions on calls. */
final class MatchReader {

    private static final Pattern HOST = Pattern.compile("(\\*\\.)?" + HostPort.NAME + "|" + HostPort.IPV6);
    private static final int LONGEST_PATH = 2_000;

    private MatchReader() {}

    /** One condition or a list of which any is enough. */
    static Optional<List<Match>> oneOrMore(Value value) {
        return value.oneOrMore(MatchReader::read);
    }

    /** One condition; empty when any of it is wrong. */
    static Optional<Match> read(Value value) {
        return value.fields(Definitions.MATCH).flatMap(MatchReader::read);
    }

    private static Optional<Match> read(Fields fields) {
        Optional<List<PathPattern>> path = texts(fields, "path", v -> v.parsed(Definitions.PATH, MatchReader::path));
        Optional<List<String>> method = texts(fields, "method", v -> v.parsed(Definitions.METHOD, MatchReader::method));
        Optional<List<String>> host = texts(fields, "host", v -> v.parsed(Definitions.HOST, MatchReader::host));
        Optional<Map<String, List<String>>> header =
                fields.readOr("header", Map.of(), v -> named(v, MatchReader::headerName, true));
        Optional<Map<String, List<String>>> query = fields.readOr("query", Map.of(), v -> named(v, n -> n, false));
        Optional<List<AddressRange>> peer = texts(fields, "peer", MatchReader::range);
        Optional<List<String>> route = texts(fields, "route", v -> v.text(Definitions.ROUTE));
        Optional<Map<String, List<String>>> attribute =
                fields.readOr("attribute", Map.of(), v -> named(v, n -> n, false));
        boolean complete = fields.understood()
                && path.isPresent()
                && method.isPresent()
                && host.isPresent()
                && header.isPresent()
                && query.isPresent()
                && peer.isPresent()
                && route.isPresent()
                && attribute.isPresent();
        return complete
                ? Optional.of(new Match(
                        path.get(),
                        method.get(),
                        host.get(),
                        header.get(),
                        query.get(),
                        peer.get(),
                        route.get(),
                        attribute.get()))
                : Optional.empty();
    }

    private static <T> Optional<List<T>> texts(Fields fields, String name, Function<Value, Optional<T>> each) {
        return fields.readOr(name, List.of(), value -> value.oneOrMore(each));
    }

    /** An address range, here and among the trusted proxies. */
    static Optional<AddressRange> range(Value value) {
        return value.parsed(Definitions.RANGE, AddressRange::parse);
    }

    private static PathPattern path(String text) {
        if (text.length() > LONGEST_PATH) {
            throw new IllegalArgumentException("the path is longer than " + LONGEST_PATH + " characters");
        }
        return PathPattern.parse(text);
    }

    /** A request method. */
    static String method(String text) {
        if (!text.matches("[A-Z][A-Z0-9_-]*")) {
            String upper = text.toUpperCase(Locale.ROOT);
            throw new IllegalArgumentException(
                    "'" + Value.shown(text) + "' is not a request method: methods are compared with case"
                            + (upper.matches("[A-Z][A-Z0-9_-]*") ? "; say " + upper : ", such as GET"));
        }
        return text;
    }

    /** A host without port. */
    static String host(String text) {
        if (text.matches(".*[^\\]:]:[0-9]+|\\[.*\\]:[0-9]+")) {
            throw new IllegalArgumentException(
                    "'" + Value.shown(text) + "' has a port: hosts are compared without; leave it out");
        }
        if (text.length() > HostPort.LONGEST || !HOST.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + Value.shown(text) + "' is not " + Definitions.HOST.grammar()
                    + ", letters, digits and hyphens in each part");
        }
        return text;
    }

    /** The name of a header. */
    static String headerName(String name) {
        if (!name.matches(Definitions.TOKEN)) {
            throw new IllegalArgumentException(
                    "'" + Value.shown(name) + "' does not name a header: letters, digits and !#$%&'*+-.^_`|~ only");
        }
        return name;
    }

    /** A name that must be there, or names with the values allowed. */
    private static Optional<Map<String, List<String>>> named(
            Value value, Function<String, String> check, boolean anyCase) {
        if (value.isScalar()) {
            return value.parsed(Definitions.NAME, check).map(name -> Map.of(name, List.of("*")));
        }
        if (value.isSequence()) {
            return value.wrong(
                    "a list of names could mean any or all: say { NAME: VALUE, ... }, all of which must hold, \"*\" for any value");
        }
        Map<String, List<String>> values = new LinkedHashMap<>();
        Set<String> names = new HashSet<>();
        List<Value.Named> given = value.named(Definitions.VALUES_BY_NAME);
        List<Value.Named> wrong = new ArrayList<>();
        for (Value.Named one : given) {
            String compared = anyCase ? one.name().toLowerCase(Locale.ROOT) : one.name();
            if (!names.add(compared)) {
                one.misnamed("'" + Value.shown(one.name()) + "' stands twice, case aside: remove one");
                wrong.add(one);
            }
            try {
                String name = check.apply(one.name());
                one.value()
                        .oneOrMore(v -> v.text(Definitions.MATCHED))
                        .ifPresentOrElse(texts -> values.put(name, texts), () -> wrong.add(one));
            } catch (IllegalArgumentException e) {
                one.misnamed(String.valueOf(e.getMessage()));
                wrong.add(one);
            }
        }
        return given.isEmpty() || !wrong.isEmpty() ? Optional.empty() : Optional.of(values);
    }
}
