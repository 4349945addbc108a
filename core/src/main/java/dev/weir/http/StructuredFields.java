package dev.weir.http;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Structured field values (RFC 9651): items, lists and dictionaries, read strictly and written canonically. Pure functions over immutable
 * values.
 *
 * <p>Reading follows section 4.2: the lines of a field are joined first, and a field that breaks a rule anywhere is no field at all, so
 * the answer is empty. Nothing that comes over the wire throws. At most {@value #MAX_CHARS} characters are read, which is more than the
 * minimum that section 3 asks of a parser; longer fields are refused.
 *
 * <p>Writing follows section 4.1. It cannot fail, because a value that has no form on the wire cannot be built: the constructors throw
 * {@link IllegalArgumentException}. A decimal is rounded to thousandths when it is built, half to even.
 */
final class StructuredFields {

    /** How many characters of a field are read at most, all its lines together. */
    static final int MAX_CHARS = 131_072;

    private static final long MAX_INTEGER = 999_999_999_999_999L;

    private StructuredFields() {}

    /** What a list or a dictionary holds. */
    sealed interface Member permits Item, InnerList {
        /** In the order of first appearance. */
        Map<String, Value> parameters();
    }

    /** A value with parameters. */
    record Item(Value value, Map<String, Value> parameters) implements Member {
        Item {
            parameters = checkedKeys(parameters);
        }

        /** A value without parameters. */
        static Item of(Value value) {
            return new Item(value, Map.of());
        }
    }

    /** Items in parentheses, with parameters of their own. */
    record InnerList(List<Item> items, Map<String, Value> parameters) implements Member {
        InnerList {
            items = List.copyOf(items);
            parameters = checkedKeys(parameters);
        }
    }

    /** A bare item. */
    sealed interface Value {}

    /** A whole number of at most 15 digits. */
    record IntegerValue(long value) implements Value {
        IntegerValue {
            requireRange(value);
        }
    }

    /** A number of at most 12 digits and three behind the point, kept in thousandths. */
    record DecimalValue(long thousandths) implements Value {
        DecimalValue {
            requireRange(thousandths);
        }

        /** Rounded to thousandths, half to even. */
        static DecimalValue of(BigDecimal value) {
            BigDecimal thousandths = value.movePointRight(3).setScale(0, RoundingMode.HALF_EVEN);
            if (thousandths.precision() > 15) {
                throw new IllegalArgumentException("decimal " + value + " has more than 12 digits before its point");
            }
            return new DecimalValue(thousandths.longValueExact());
        }
    }

    /** Printable ASCII. */
    record StringValue(String value) implements Value {
        StringValue {
            if (!value.chars().allMatch(StructuredFields::isPrintable)) {
                throw new IllegalArgumentException("string '" + value + "' is not printable ASCII");
            }
        }
    }

    /** A word that needs no quotes. */
    record TokenValue(String value) implements Value {
        TokenValue {
            boolean token = !value.isEmpty()
                    && isTokenStart(value.charAt(0))
                    && value.chars().allMatch(StructuredFields::isTokenChar);
            if (!token) {
                throw new IllegalArgumentException(
                        "'" + value + "' is not a token: a letter or *, then letters, digits and !#$%&'*+-.^_`|~:/");
            }
        }
    }

    /** Bytes, kept as canonical Base64. */
    record BytesValue(String base64) implements Value {
        BytesValue {
            base64 = Base64.getEncoder().encodeToString(Base64.getDecoder().decode(base64));
        }

        static BytesValue of(byte[] bytes) {
            return new BytesValue(Base64.getEncoder().encodeToString(bytes));
        }
    }

    /** {@code ?1} or {@code ?0}. */
    record BooleanValue(boolean value) implements Value {}

    /** Whole seconds from the epoch. */
    record DateValue(long epochSecond) implements Value {
        DateValue {
            requireRange(epochSecond);
        }
    }

    /** Any Unicode text, for people. */
    record DisplayValue(String value) implements Value {
        DisplayValue {
            if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
                throw new IllegalArgumentException("display string '" + value + "' holds half a surrogate pair");
            }
        }
    }

    private static final Value TRUE = new BooleanValue(true);

    private static void requireRange(long value) {
        if (value < -MAX_INTEGER || value > MAX_INTEGER) {
            throw new IllegalArgumentException(value + " has more than 15 digits");
        }
    }

    private static <T> Map<String, T> checkedKeys(Map<String, T> members) {
        for (String key : members.keySet()) {
            boolean valid =
                    !key.isEmpty() && isKeyStart(key.charAt(0)) && key.chars().allMatch(StructuredFields::isKeyChar);
            if (!valid) {
                throw new IllegalArgumentException("'" + key
                        + "' is not a key: a lower-case letter or *, then lower-case letters, digits and _-.*");
            }
        }
        return Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    // Writing, RFC 9651 section 4.1

    /** The text of an item. */
    static String write(Item item) {
        StringBuilder out = new StringBuilder();
        write(item, out);
        return out.toString();
    }

    /** The text of a list; empty for one without members, which is sent as no field at all. */
    static Optional<String> write(List<? extends Member> list) {
        StringBuilder out = new StringBuilder();
        for (Member member : list) {
            out.append(out.isEmpty() ? "" : ", ");
            write(member, out);
        }
        return list.isEmpty() ? Optional.empty() : Optional.of(out.toString());
    }

    /** The text of a dictionary; empty for one without members, which is sent as no field at all. */
    static Optional<String> write(Map<String, ? extends Member> dictionary) {
        StringBuilder out = new StringBuilder();
        checkedKeys(dictionary).forEach((key, member) -> {
            out.append(out.isEmpty() ? "" : ", ").append(key);
            if (member instanceof Item item && item.value().equals(TRUE)) {
                writeParameters(item.parameters(), out);
            } else {
                out.append('=');
                write(member, out);
            }
        });
        return dictionary.isEmpty() ? Optional.empty() : Optional.of(out.toString());
    }

    private static void write(Member member, StringBuilder out) {
        if (member instanceof Item item) {
            write(item.value(), out);
        } else if (member instanceof InnerList list) {
            out.append('(');
            String separator = "";
            for (Item item : list.items()) {
                out.append(separator);
                write(item, out);
                separator = " ";
            }
            out.append(')');
        }
        writeParameters(member.parameters(), out);
    }

    private static void writeParameters(Map<String, Value> parameters, StringBuilder out) {
        parameters.forEach((key, value) -> {
            out.append(';').append(key);
            if (!value.equals(TRUE)) {
                write(value, out.append('='));
            }
        });
    }

    private static void write(Value value, StringBuilder out) {
        if (value instanceof IntegerValue integer) {
            out.append(integer.value());
        } else if (value instanceof DecimalValue decimal) {
            writeDecimal(decimal.thousandths(), out);
        } else if (value instanceof StringValue string) {
            writeString(string.value(), out);
        } else if (value instanceof TokenValue token) {
            out.append(token.value());
        } else if (value instanceof BytesValue bytes) {
            out.append(':').append(bytes.base64()).append(':');
        } else if (value instanceof BooleanValue bool) {
            out.append(bool.value() ? "?1" : "?0");
        } else if (value instanceof DateValue date) {
            out.append('@').append(date.epochSecond());
        } else if (value instanceof DisplayValue display) {
            writeDisplay(display.value(), out);
        }
    }

    private static void writeDecimal(long thousandths, StringBuilder out) {
        long magnitude = Math.abs(thousandths);
        out.append(thousandths < 0 ? "-" : "").append(magnitude / 1_000).append('.');
        long fraction = magnitude % 1_000;
        out.append(fraction / 100);
        if (fraction % 100 != 0) {
            out.append(fraction / 10 % 10);
            if (fraction % 10 != 0) {
                out.append(fraction % 10);
            }
        }
    }

    /** Appends a string item. The text must be printable ASCII. */
    static void writeString(String text, StringBuilder out) {
        out.append('"');
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"' || c == '\\') {
                out.append('\\');
            }
            out.append(c);
        }
        out.append('"');
    }

    private static void writeDisplay(String text, StringBuilder out) {
        out.append("%\"");
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (octet == '%' || octet == '"' || !isPrintable(octet)) {
                out.append('%').append(hexDigit(octet >> 4)).append(hexDigit(octet));
            } else {
                out.append((char) octet);
            }
        }
        out.append('"');
    }

    private static char hexDigit(int value) {
        return Character.forDigit(value & 0xf, 16);
    }

    // Reading, RFC 9651 section 4.2

    /** Reads a field that is an item, from all its lines in order. Empty when it is malformed or absent. */
    static Optional<Item> parseItem(List<String> lines) {
        return parse(lines, Parser::item);
    }

    /** Reads a field that is a list, from all its lines in order. Empty when it is malformed; a list without members when it is absent. */
    static Optional<List<Member>> parseList(List<String> lines) {
        return parse(lines, Parser::list);
    }

    /** Reads a field that is a dictionary, from all its lines in order. Empty when it is malformed; one without members when it is absent. */
    static Optional<Map<String, Member>> parseDictionary(List<String> lines) {
        return parse(lines, Parser::dictionary);
    }

    private static <T> Optional<T> parse(List<String> lines, Production<T> production) {
        long chars = 0;
        for (String line : lines) {
            chars += line.length() + 2;
        }
        if (chars > MAX_CHARS + 2) {
            return Optional.empty();
        }
        try {
            Parser parser = new Parser(String.join(", ", lines));
            parser.skipSpaces();
            T value = production.parse(parser);
            parser.skipSpaces();
            return parser.atEnd() ? Optional.of(value) : Optional.empty();
        } catch (Malformed malformed) {
            return Optional.empty();
        }
    }

    private interface Production<T> {
        T parse(Parser parser) throws Malformed;
    }

    /** Thrown and caught within this class alone, without a stack trace. */
    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed() {
            super("malformed", null, false, false);
        }
    }

    /** A cursor over a field; its methods are the algorithms of section 4.2 by name. */
    private static final class Parser {

        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        boolean atEnd() {
            return at == text.length();
        }

        /** The character here; NUL, which no rule accepts, at the end. */
        private char peek() {
            return atEnd() ? '\0' : text.charAt(at);
        }

        private boolean take(char c) {
            boolean here = !atEnd() && text.charAt(at) == c;
            at += here ? 1 : 0;
            return here;
        }

        private void require(boolean condition) throws Malformed {
            if (!condition) {
                throw new Malformed();
            }
        }

        void skipSpaces() {
            while (take(' ')) {}
        }

        private void skipBlanks() {
            while (take(' ') || take('\t')) {}
        }

        List<Member> list() throws Malformed {
            List<Member> members = new ArrayList<>();
            while (!atEnd()) {
                members.add(member());
                if (!nextMember()) {
                    break;
                }
            }
            return members;
        }

        Map<String, Member> dictionary() throws Malformed {
            Map<String, Member> members = new LinkedHashMap<>();
            while (!atEnd()) {
                String key = key();
                members.put(key, take('=') ? member() : new Item(TRUE, parameters()));
                if (!nextMember()) {
                    break;
                }
            }
            return members;
        }

        private boolean nextMember() throws Malformed {
            skipBlanks();
            if (atEnd()) {
                return false;
            }
            require(take(','));
            skipBlanks();
            require(!atEnd());
            return true;
        }

        private Member member() throws Malformed {
            return peek() == '(' ? innerList() : item();
        }

        private InnerList innerList() throws Malformed {
            require(take('('));
            List<Item> items = new ArrayList<>();
            while (true) {
                skipSpaces();
                if (take(')')) {
                    return new InnerList(items, parameters());
                }
                items.add(item());
                require(peek() == ' ' || peek() == ')');
            }
        }

        Item item() throws Malformed {
            Value value = value();
            return new Item(value, parameters());
        }

        private Map<String, Value> parameters() throws Malformed {
            if (peek() != ';') {
                return Map.of();
            }
            Map<String, Value> parameters = new LinkedHashMap<>();
            while (take(';')) {
                skipSpaces();
                String key = key();
                parameters.put(key, take('=') ? value() : TRUE);
            }
            return parameters;
        }

        private String key() throws Malformed {
            int start = at;
            require(isKeyStart(peek()));
            while (isKeyChar(peek())) {
                at++;
            }
            return text.substring(start, at);
        }

        private Value value() throws Malformed {
            char c = peek();
            if (c == '-' || isDigit(c)) {
                return number();
            }
            return switch (c) {
                case '"' -> string();
                case ':' -> bytes();
                case '?' -> bool();
                case '@' -> date();
                case '%' -> display();
                default -> token();
            };
        }

        private Value number() throws Malformed {
            boolean negative = take('-');
            int start = at;
            long value = 0;
            while (isDigit(peek())) {
                value = value * 10 + text.charAt(at) - '0';
                at++;
                require(at - start <= 15);
            }
            require(at > start);
            if (peek() != '.') {
                return new IntegerValue(negative ? -value : value);
            }
            require(at - start <= 12);
            at++;
            int point = at;
            while (isDigit(peek())) {
                value = value * 10 + text.charAt(at) - '0';
                at++;
                require(at - point <= 3);
            }
            require(at > point);
            for (int digits = at - point; digits < 3; digits++) {
                value *= 10;
            }
            return new DecimalValue(negative ? -value : value);
        }

        private Value string() throws Malformed {
            require(take('"'));
            StringBuilder out = new StringBuilder();
            while (!take('"')) {
                boolean escaped = take('\\');
                char c = peek();
                require(isPrintable(c) && (!escaped || c == '"' || c == '\\'));
                out.append(c);
                at++;
            }
            return new StringValue(out.toString());
        }

        private Value token() throws Malformed {
            int start = at;
            require(isTokenStart(peek()));
            while (isTokenChar(peek())) {
                at++;
            }
            return new TokenValue(text.substring(start, at));
        }

        private Value bytes() throws Malformed {
            require(take(':'));
            int end = text.indexOf(':', at);
            require(end >= 0);
            String base64 = text.substring(at, end);
            at = end + 1;
            try {
                return new BytesValue(base64);
            } catch (IllegalArgumentException e) {
                throw new Malformed();
            }
        }

        private Value bool() throws Malformed {
            require(take('?'));
            boolean value = take('1');
            require(value || take('0'));
            return new BooleanValue(value);
        }

        private Value date() throws Malformed {
            require(take('@'));
            require(peek() == '-' || isDigit(peek()));
            if (number() instanceof IntegerValue seconds) {
                return new DateValue(seconds.value());
            }
            throw new Malformed();
        }

        private Value display() throws Malformed {
            require(take('%'));
            require(take('"'));
            ByteBuffer octets = ByteBuffer.allocate(text.length() - at);
            while (!take('"')) {
                char c = peek();
                require(isPrintable(c));
                at++;
                if (c == '%') {
                    octets.put((byte) (lowerHex() << 4 | lowerHex()));
                } else {
                    octets.put((byte) c);
                }
            }
            try {
                return new DisplayValue(StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(octets.flip())
                        .toString());
            } catch (CharacterCodingException e) {
                throw new Malformed();
            }
        }

        private int lowerHex() throws Malformed {
            char c = peek();
            require(isDigit(c) || (c >= 'a' && c <= 'f'));
            at++;
            return Character.digit(c, 16);
        }
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLower(int c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isKeyStart(int c) {
        return isLower(c) || c == '*';
    }

    private static boolean isKeyChar(int c) {
        return isLower(c) || isDigit(c) || c == '_' || c == '-' || c == '.' || c == '*';
    }

    private static boolean isTokenStart(int c) {
        return isLower(c) || (c >= 'A' && c <= 'Z') || c == '*';
    }

    private static boolean isTokenChar(int c) {
        return isLower(c) || (c >= 'A' && c <= 'Z') || isDigit(c) || (c > 0 && "!#$%&'*+-.^_`|~:/".indexOf(c) >= 0);
    }

    /** Whether a string item may hold it: from space to tilde. */
    static boolean isPrintable(int c) {
        return c >= 0x20 && c <= 0x7e;
    }
}
