package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.weir.http.StructuredFields.BooleanValue;
import dev.weir.http.StructuredFields.BytesValue;
import dev.weir.http.StructuredFields.DateValue;
import dev.weir.http.StructuredFields.DecimalValue;
import dev.weir.http.StructuredFields.DisplayValue;
import dev.weir.http.StructuredFields.InnerList;
import dev.weir.http.StructuredFields.IntegerValue;
import dev.weir.http.StructuredFields.Item;
import dev.weir.http.StructuredFields.Member;
import dev.weir.http.StructuredFields.StringValue;
import dev.weir.http.StructuredFields.TokenValue;
import dev.weir.http.StructuredFields.Value;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StructuredFieldsTest {

    /** Kind, field lines separated by a bar, canonical text; {@code -} is malformed, {@code 0} an absent field. */
    private static final String[][] ROWS = {
        {"item", "7", "7"},
        {"item", "  -0042  ", "-42"},
        {"item", "999999999999999", "999999999999999"},
        {"item", "1000000000000000", "-"},
        {"item", "-", "-"},
        {"item", "1.", "-"},
        {"item", "1.5", "1.5"},
        {"item", "-0.250", "-0.25"},
        {"item", "123456789012.125", "123456789012.125"},
        {"item", "1234567890123.1", "-"},
        {"item", "1.2345", "-"},
        {"item", "+1", "-"},
        {"item", "", "-"},
        {"item", "1 2", "-"},
        {"item", "1, 2", "-"},
        {"item", "1|2", "-"},
        {"item", "\t1", "-"},
        {"item", "\"a \\\"b\\\\ c\"", "\"a \\\"b\\\\ c\""},
        {"item", "\"a", "-"},
        {"item", "\"a\\", "-"},
        {"item", "\"a\\n\"", "-"},
        {"item", "\"caf\u00e9\"", "-"},
        {"item", "\"a\tb\"", "-"},
        {"item", "*a/b:c", "*a/b:c"},
        {"item", "a\u0000", "-"},
        {"item", ":aGVsbG8=:", ":aGVsbG8=:"},
        {"item", ":aGVsbG8:", ":aGVsbG8=:"},
        {"item", ":aGVs bG8=:", "-"},
        {"item", ":aGVsbG8=", "-"},
        {"item", "?1", "?1"},
        {"item", "?0;x", "?0;x"},
        {"item", "?2", "-"},
        {"item", "?", "-"},
        {"item", "@1700000000", "@1700000000"},
        {"item", "@1.5", "-"},
        {"item", "@x", "-"},
        {"item", "%\"f%c3%bc\"", "%\"f%c3%bc\""},
        {"item", "%\"f%C3%BC\"", "-"},
        {"item", "%\"f%c3\"", "-"},
        {"item", "%f", "-"},
        {"item", "a; b=1;c;b=2", "a;b=2;c"},
        {"item", "a ;b", "-"},
        {"item", "a;B", "-"},
        {"item", "a;", "-"},
        {"item", "a;b=", "-"},
        {"list", "", "0"},
        {"list", "1,\t2 ,3", "1, 2, 3"},
        {"list", "1|2|(a b);c", "1, 2, (a b);c"},
        {"list", "1,", "-"},
        {"list", "1|", "-"},
        {"list", ",1", "-"},
        {"list", "1 2", "-"},
        {"list", "(  )", "()"},
        {"list", "(1  2 )", "(1 2)"},
        {"list", "(1,2)", "-"},
        {"list", "(1", "-"},
        {"list", "(1\"a\")", "-"},
        {"list", "((1))", "-"},
        {"dictionary", "", "0"},
        {"dictionary", "a=1, b;x, c=?1;y, d=(1 2)", "a=1, b;x, c;y, d=(1 2)"},
        {"dictionary", "a=1, b=2, a=3", "a=3, b=2"},
        {"dictionary", "a=1|b=2", "a=1, b=2"},
        {"dictionary", "A=1", "-"},
        {"dictionary", "a=1,", "-"},
        {"dictionary", "a = 1", "-"},
        {"dictionary", "a==1", "-"},
    };

    @TestFactory
    Stream<DynamicTest> rows() {
        return Stream.of(ROWS)
                .map(row -> dynamicTest(row[0] + " " + row[1], () -> {
                    List<String> lines = List.of(row[1].split("\\|", -1));
                    Optional<String> expected =
                            row[2].equals("-") ? Optional.empty() : Optional.of(row[2].equals("0") ? "" : row[2]);
                    assertThat(canonical(row[0], lines)).isEqualTo(expected);
                }));
    }

    /** Empty when malformed; an absent field is an empty text. */
    private static Optional<String> canonical(String kind, List<String> lines) {
        return switch (kind) {
            case "item" -> StructuredFields.parseItem(lines).map(StructuredFields::write);
            case "list" ->
                StructuredFields.parseList(lines)
                        .map(list -> StructuredFields.write(list).orElse(""));
            default ->
                StructuredFields.parseDictionary(lines)
                        .map(members -> StructuredFields.write(members).orElse(""));
        };
    }

    @Test
    void aFieldHasABound() {
        String half = "a".repeat(StructuredFields.MAX_CHARS / 2);
        assertThat(StructuredFields.parseList(List.of(half, half.substring(2)))).isPresent();
        assertThat(StructuredFields.parseList(List.of(half, half + "a"))).isEmpty();
        assertThat(StructuredFields.parseItem(List.of("(".repeat(100_000)))).isEmpty();
        assertThat(StructuredFields.parseList(List.of("(".repeat(100_000)))).isEmpty();
    }

    @Test
    void whatHasNoFormCannotBeBuilt() {
        assertThatThrownBy(() -> new StringValue("a\r\nX: y")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TokenValue("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TokenValue("a b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new IntegerValue(1_000_000_000_000_000L)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DisplayValue("\ud800")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Item(new BooleanValue(true), Map.of("A", new BooleanValue(true))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StructuredFields.write(Map.of("", Item.of(new IntegerValue(1)))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsWrittenIsReadBack() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            List<Member> list = new ArrayList<>();
            Map<String, Member> dictionary = new LinkedHashMap<>();
            for (int members = random.nextInt(4); members > 0; members--) {
                Member member = random.nextInt(4) == 0
                        ? new InnerList(List.of(item(random), item(random)), parameters(random))
                        : item(random);
                list.add(member);
                dictionary.put("k" + members, member);
            }
            assertThat(StructuredFields.parseList(
                            StructuredFields.write(list).stream().toList()))
                    .as("seed %d", seed)
                    .contains(list);
            assertThat(StructuredFields.parseDictionary(
                            StructuredFields.write(dictionary).stream().toList()))
                    .as("seed %d", seed)
                    .contains(dictionary);
        }
    }

    private static Item item(Random random) {
        return new Item(value(random), parameters(random));
    }

    private static Map<String, Value> parameters(Random random) {
        Map<String, Value> parameters = new LinkedHashMap<>();
        for (int count = random.nextInt(3); count > 0; count--) {
            parameters.put("p*_-." + count, value(random));
        }
        return parameters;
    }

    private static Value value(Random random) {
        String text = random.ints(random.nextInt(8), 0x20, 0x7f)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return switch (random.nextInt(8)) {
            case 0 -> new IntegerValue(random.nextLong() % 1_000_000_000_000_000L);
            case 1 -> new DecimalValue(random.nextLong() % 1_000_000_000_000_000L);
            case 2 -> new StringValue(text);
            case 3 -> new TokenValue("*x" + random.nextInt());
            case 4 -> BytesValue.of(new byte[] {(byte) random.nextInt(), (byte) random.nextInt()});
            case 5 -> new BooleanValue(random.nextBoolean());
            case 6 -> new DateValue(random.nextInt());
            default -> new DisplayValue(text + "\u00fc\u20ac\ud83d\ude00");
        };
    }

    @Test
    void noiseIsRefusedQuietly() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String alphabet = "aA1(\"\\:?@%;=, \t*-.)\u0000\u00e9";
        for (int round = 0; round < 100_000; round++) {
            StringBuilder noise = new StringBuilder();
            for (int chars = random.nextInt(16); chars > 0; chars--) {
                noise.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            for (String kind : List.of("item", "list", "dictionary")) {
                Optional<String> once = canonical(kind, List.of(noise.toString()));
                assertThat(once.flatMap(text -> canonical(kind, List.of(text))))
                        .as("seed %d: %s", seed, noise)
                        .isEqualTo(once);
            }
        }
    }

    /** The HTTP working group's vectors, from the folder that {@code -Dvectors} names; none without it. */
    @TestFactory
    Stream<DynamicTest> workingGroupVectors() throws IOException {
        String folder = System.getProperty("vectors", "");
        if (folder.isEmpty()) {
            return Stream.empty();
        }
        List<DynamicTest> tests = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of(folder), 2)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".json"))
                    .filter(f -> !f.getParent().endsWith("schema"))
                    .sorted()
                    .toList()) {
                for (JsonNode vector : JsonMapper.shared().readTree(file)) {
                    tests.add(dynamicTest(
                            file.getFileName() + ": " + vector.get("name").stringValue(), () -> check(vector)));
                }
            }
        }
        return tests.stream();
    }

    private static void check(JsonNode vector) {
        String kind = vector.get("header_type").stringValue();
        boolean mustFail = vector.path("must_fail").asBoolean(false);
        boolean canFail = vector.path("can_fail").asBoolean(false);
        List<String> raw = strings(vector.path("raw"));
        if (vector.has("raw")) {
            Optional<String> read = canonical(kind, raw);
            if (mustFail) {
                assertThat(read).isEmpty();
                return;
            }
            if (canFail && read.isEmpty()) {
                return;
            }
            List<String> canonical = vector.has("canonical") ? strings(vector.get("canonical")) : raw;
            assertThat(read).contains(String.join(", ", canonical));
            assertThat(parsed(kind, raw)).isEqualTo(Optional.of(built(kind, vector.get("expected"))));
        }
        if (vector.has("raw") || !mustFail) {
            List<String> canonical = vector.has("canonical") ? strings(vector.get("canonical")) : raw;
            assertThat(written(kind, vector.get("expected"))).isEqualTo(String.join(", ", canonical));
        } else {
            assertThatThrownBy(() -> written(kind, vector.get("expected")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static List<String> strings(JsonNode array) {
        List<String> strings = new ArrayList<>();
        array.forEach(node -> strings.add(node.stringValue()));
        return strings;
    }

    private static Optional<?> parsed(String kind, List<String> lines) {
        return switch (kind) {
            case "item" -> StructuredFields.parseItem(lines);
            case "list" -> StructuredFields.parseList(lines);
            default -> StructuredFields.parseDictionary(lines);
        };
    }

    private static Object built(String kind, JsonNode expected) {
        return switch (kind) {
            case "item" -> item(expected);
            case "list" -> list(expected);
            default -> dictionary(expected);
        };
    }

    private static String written(String kind, JsonNode expected) {
        return switch (kind) {
            case "item" -> StructuredFields.write(item(expected));
            case "list" -> StructuredFields.write(list(expected)).orElse("");
            default -> StructuredFields.write(dictionary(expected)).orElse("");
        };
    }

    private static List<Member> list(JsonNode array) {
        List<Member> members = new ArrayList<>();
        array.forEach(node -> members.add(member(node)));
        return members;
    }

    private static Map<String, Member> dictionary(JsonNode array) {
        Map<String, Member> members = new LinkedHashMap<>();
        array.forEach(pair -> members.put(pair.get(0).stringValue(), member(pair.get(1))));
        return members;
    }

    private static Member member(JsonNode node) {
        if (!node.get(0).isArray()) {
            return item(node);
        }
        List<Item> items = new ArrayList<>();
        node.get(0).forEach(item -> items.add(item(item)));
        return new InnerList(items, parameters(node.get(1)));
    }

    private static Item item(JsonNode node) {
        return new Item(value(node.get(0)), parameters(node.get(1)));
    }

    private static Map<String, Value> parameters(JsonNode array) {
        Map<String, Value> parameters = new LinkedHashMap<>();
        array.forEach(pair -> parameters.put(pair.get(0).stringValue(), value(pair.get(1))));
        return parameters;
    }

    private static Value value(JsonNode node) {
        if (node.isObject()) {
            JsonNode value = node.get("value");
            return switch (node.get("__type").stringValue()) {
                case "token" -> new TokenValue(value.stringValue());
                case "binary" -> BytesValue.of(base32(value.stringValue()));
                case "date" -> new DateValue(value.longValue());
                default -> new DisplayValue(value.stringValue());
            };
        }
        if (node.isBoolean()) {
            return new BooleanValue(node.booleanValue());
        }
        if (node.isString()) {
            return new StringValue(node.stringValue());
        }
        return node.isIntegralNumber()
                ? new IntegerValue(node.longValue())
                : DecimalValue.of(new BigDecimal(node.asString()));
    }

    private static byte[] base32(String text) {
        String digits = text.replace("=", "");
        byte[] bytes = new byte[digits.length() * 5 / 8];
        long window = 0;
        int bits = 0;
        int at = 0;
        for (int digit = 0; digit < digits.length(); digit++) {
            window = window << 5 | "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(digits.charAt(digit));
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                bytes[at++] = (byte) (window >> bits);
            }
        }
        return bytes;
    }
}
