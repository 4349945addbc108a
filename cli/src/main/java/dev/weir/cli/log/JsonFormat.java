package dev.weir.cli.log;

import dev.weir.cli.log.JsonNames.Entry;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A JSON object on each line. Its names are found in one walk over the line, by a tree of the names that are looked for. */
final class JsonFormat implements LineParser {

    /** Numbers with an exponent larger than this are no time, status, size or duration. */
    private static final int LARGEST_EXPONENT = 30;

    /** A place in a line's objects: what its value means, and what lies below. */
    private static final class Node {
        final Map<String, Node> children = new HashMap<>();

        @Nullable
        Column column;

        String name = "";

        Node child(String childName) {
            return children.computeIfAbsent(childName, missing -> new Node());
        }
    }

    private final JsonFactory factory = new JsonFactory();
    private final Node root;
    private final List<NamedColumn> named;

    private JsonFormat(Node root, List<NamedColumn> named) {
        this.root = root;
        this.named = List.copyOf(named);
    }

    /** The default names, save for the fields of the mapping: {@code time=ts,peer=client.ip}. */
    static JsonFormat of(String mapping) {
        Node root = new Node();
        List<NamedColumn> named = new ArrayList<>();
        Set<String> mapped = new HashSet<>();
        Set<String> names = new HashSet<>();
        int position = "json:".length() + 1;
        for (String pair : mapping.isEmpty() ? new String[0] : mapping.split(",", -1)) {
            int equals = pair.indexOf('=');
            String field = equals < 0 ? pair : pair.substring(0, equals);
            String name = equals < 0 ? "" : pair.substring(equals + 1);
            String place = "log format 'json:" + mapping + "', position " + position + ": ";
            if (name.isEmpty()) {
                throw new IllegalArgumentException(place + "'" + pair + "' is not FIELD=NAME, such as time=ts");
            }
            if (!mapped.add(group(field))) {
                throw new IllegalArgumentException(place + "'" + field + "' is mapped twice; give it once");
            }
            if (!names.add(name)) {
                throw new IllegalArgumentException(place + "'" + name + "' is mapped to two fields; give it once");
            }
            try {
                insert(root, name, name, JsonNames.column(field, 0, named));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(place + e.getMessage(), e);
            }
            position += pair.length() + 1;
        }
        for (Entry entry : JsonNames.entries()) {
            if (!mapped.contains(group(entry.field()))) {
                for (int rank = 0; rank < entry.names().size(); rank++) {
                    String name = entry.names().get(rank);
                    if (names.add(name)) {
                        insert(root, name, name, JsonNames.column(entry.field(), rank, named));
                    }
                }
            }
        }
        return new JsonFormat(root, named);
    }

    /** The durations are one field in several units; headers are the same in any case. */
    private static String group(String field) {
        if (field.startsWith("duration_")) {
            return "duration";
        }
        return field.startsWith("header.") ? field.toLowerCase(Locale.ROOT) : field;
    }

    /** Every way to read the dots of a name: as part of a name, or as the way into an object. */
    private static void insert(Node node, String rest, String name, Column column) {
        Node leaf = node.child(rest);
        leaf.column = column;
        leaf.name = name;
        for (int dot = rest.indexOf('.'); dot > 0; dot = rest.indexOf('.', dot + 1)) {
            if (dot + 1 < rest.length()) {
                insert(node.child(rest.substring(0, dot)), rest.substring(dot + 1), name, column);
            }
        }
    }

    @Override
    public List<NamedColumn> named() {
        return named;
    }

    @Override
    public void parse(byte[] line, int from, int to, CallDraft draft) throws Malformed {
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), line, from, to - from)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw Malformed.expected("a JSON object", line, from, to).at("column 1");
            }
            object(parser, root, draft);
            if (parser.nextToken() != null) {
                throw new Malformed("more text stands behind the JSON object");
            }
        } catch (JacksonException e) {
            int column = e.getLocation() == null ? 1 : e.getLocation().getColumnNr();
            throw new Malformed("column " + column + ": the line is no JSON from here on");
        }
    }

    private static void object(JsonParser parser, Node node, CallDraft draft) throws Malformed {
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_OBJECT; token = parser.nextToken()) {
            Node child = node.children.get(parser.currentName());
            JsonToken value = parser.nextToken();
            if (child == null) {
                parser.skipChildren();
            } else if (value == JsonToken.START_OBJECT) {
                object(parser, child, draft);
            } else if (value == JsonToken.START_ARRAY) {
                array(parser, child, draft);
            } else if (child.column != null && value != JsonToken.VALUE_NULL) {
                take(child, child.column, value.isNumeric() ? plain(parser.getString()) : parser.getString(), draft);
            }
        }
    }

    /** Several lines of one header. */
    private static void array(JsonParser parser, Node node, CallDraft draft) throws Malformed {
        StringBuilder values = new StringBuilder();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
                values.append(values.isEmpty() ? "" : ", ").append(parser.getString());
            }
            parser.skipChildren();
        }
        if (node.column != null) {
            take(node, node.column, values.toString(), draft);
        }
    }

    private static void take(Node node, Column column, String value, CallDraft draft) throws Malformed {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        try {
            draft.take(column, bytes, 0, bytes.length, false);
        } catch (Malformed e) {
            throw e.at("field '" + node.name + "'");
        }
    }

    /** A number without exponent, and without a fraction of zeros: {@code 1.7E9} is {@code 1700000000}. */
    private static String plain(String number) {
        if (number.indexOf('e') < 0 && number.indexOf('E') < 0 && !number.endsWith(".0")) {
            return number;
        }
        BigDecimal value = new BigDecimal(number);
        if (Math.abs((long) value.scale()) > LARGEST_EXPONENT) {
            return number;
        }
        return (value.scale() > 0 ? value.stripTrailingZeros() : value).toPlainString();
    }
}
