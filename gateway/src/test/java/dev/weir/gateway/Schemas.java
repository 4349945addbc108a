package dev.weir.gateway;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Holds JSON against the schemas of the OpenAPI file: types, required members, enumerations, and members that no schema knows. */
final class Schemas {

    private final JsonNode document;

    Schemas(JsonNode document) {
        this.document = document;
    }

    /** What is wrong with the value, by its place in it. */
    List<String> problems(JsonNode schema, JsonNode value) {
        List<String> problems = new ArrayList<>();
        check(schema, value, "$", problems);
        return problems;
    }

    private void check(JsonNode schema, JsonNode value, String at, List<String> problems) {
        if (schema.has("$ref")) {
            check(document.at(schema.get("$ref").asString().substring(1)), value, at, problems);
            return;
        }
        if (schema.has("oneOf")) {
            long fitting = schema.get("oneOf")
                    .valueStream()
                    .filter(one -> problems(one, value).isEmpty())
                    .count();
            if (fitting != 1) {
                problems.add(at + " fits " + fitting + " of the schemas: " + value);
            }
            return;
        }
        if (!typeFits(schema.get("type"), value)) {
            problems.add(at + " is no " + schema.get("type") + ": " + value);
            return;
        }
        if (schema.has("enum") && schema.get("enum").valueStream().noneMatch(value::equals)) {
            problems.add(at + " is none of " + schema.get("enum") + ": " + value);
        }
        if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                check(schema.get("items"), value.get(i), at + "[" + i + "]", problems);
            }
        }
        if (value.isObject() && schema.has("properties")) {
            members(schema, value, at, problems);
        }
    }

    private void members(JsonNode schema, JsonNode value, String at, List<String> problems) {
        schema.get("required")
                .valueStream()
                .filter(name -> !value.has(name.asString()))
                .forEach(name -> problems.add(at + "." + name.asString() + " is missing"));
        value.propertyStream().forEach(member -> {
            JsonNode known = schema.get("properties").get(member.getKey());
            if (known == null) {
                problems.add(at + "." + member.getKey() + " is in no schema");
            } else {
                check(known, member.getValue(), at + "." + member.getKey(), problems);
            }
        });
    }

    private static boolean typeFits(JsonNode type, JsonNode value) {
        if (type.isArray()) {
            return type.valueStream().anyMatch(one -> typeFits(one, value));
        }
        return switch (type.asString()) {
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            case "null" -> value.isNull();
            default -> false;
        };
    }
}
