package dev.weir.policyfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** As much of JSON Schema 2020-12 as the policy's schema uses; anything else in a schema is an error. */
final class JsonSchema {

    private JsonSchema() {}

    /** Adds where {@code value} does not fit. */
    static void check(Object value, JsonNode schema, JsonNode root, String path, List<String> misfits) {
        for (Map.Entry<String, JsonNode> rule : schema.properties()) {
            JsonNode is = rule.getValue();
            boolean fits = switch (rule.getKey()) {
                case "$schema", "title", "description", "$defs" -> true;
                case "$ref" -> {
                    check(value, root.at(is.asString().substring(1)), root, path, misfits);
                    yield true;
                }
                case "type" -> type(value, is);
                case "enum" -> texts(is).contains(String.valueOf(value)) && value instanceof String;
                case "pattern" ->
                    !(value instanceof String text)
                            || Pattern.compile(is.asString()).matcher(text).find();
                case "minLength" -> !(value instanceof String text) || text.length() >= is.asInt();
                case "minimum" -> !(value instanceof Number number) || number.longValue() >= is.asLong();
                case "maximum" -> !(value instanceof Number number) || number.longValue() <= is.asLong();
                case "anyOf" -> anyOf(value, is, root);
                case "not" -> false;
                case "required" ->
                    !(value instanceof Map<?, ?> map) || map.keySet().containsAll(texts(is));
                case "minItems" -> !(value instanceof List<?> list) || list.size() >= is.asInt();
                case "minProperties" -> !(value instanceof Map<?, ?> map) || map.size() >= is.asInt();
                case "items" -> {
                    if (value instanceof List<?> list) {
                        list.forEach(item -> check(item, is, root, path + "[]", misfits));
                    }
                    yield true;
                }
                case "properties", "additionalProperties" -> {
                    if (value instanceof Map<?, ?> map
                            && !(rule.getKey().equals("additionalProperties") && schema.has("properties"))) {
                        properties(map, schema, root, path, misfits);
                    }
                    yield true;
                }
                default -> throw new IllegalArgumentException(rule.getKey());
            };
            if (!fits) {
                misfits.add(path + ": " + value + " does not fit " + rule.getKey() + " " + is);
            }
        }
    }

    private static void properties(Map<?, ?> map, JsonNode schema, JsonNode root, String path, List<String> misfits) {
        map.forEach((name, value) -> {
            JsonNode known = schema.has("properties") ? schema.get("properties").get(name.toString()) : null;
            JsonNode other = schema.get("additionalProperties");
            String field = path + "." + name;
            if (known != null) {
                check(value, known, root, field, misfits);
            } else if (other.isObject()) {
                check(value, other, root, field, misfits);
            } else {
                misfits.add(field + " is unknown");
            }
        });
    }

    private static boolean anyOf(Object value, JsonNode schemas, JsonNode root) {
        for (JsonNode schema : schemas) {
            List<String> misfits = new ArrayList<>();
            check(value, schema, root, "", misfits);
            if (misfits.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static boolean type(Object value, JsonNode types) {
        List<String> names = types.isArray() ? texts(types) : List.of(types.asString());
        return names.stream().anyMatch(name -> switch (name) {
            case "string" -> value instanceof String;
            case "integer" -> value instanceof Integer || value instanceof Long;
            case "number" -> value instanceof Number;
            case "boolean" -> value instanceof Boolean;
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            default -> throw new IllegalArgumentException(name);
        });
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(item -> texts.add(item.asString()));
        return texts;
    }
}
