package dev.weir.policyfile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON Schema of policy files, for editors. It knows every field and the form of every value; what only holds between fields, such
 * as a burst that needs a rate, is for the parser alone.
 */
public final class PolicySchema {

    private static final String VARIABLE = "\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}";

    private PolicySchema() {}

    /** The schema (draft 2020-12) as text. */
    public static String json() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "Weir policy");
        schema.putAll(group(Sections.POLICY));
        schema.put("required", List.of("weir"));
        Map<String, Object> definitions = new LinkedHashMap<>();
        for (Shape.Group group : Sections.groups()) {
            if (!group.equals(Sections.POLICY)) {
                definitions.put(group.name(), group(group));
            }
        }
        schema.put("$defs", definitions);
        return Json.of(schema);
    }

    private static Map<String, Object> group(Shape.Group group) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Field field : group.fields()) {
            Map<String, Object> property = new LinkedHashMap<>();
            property.put(
                    "description",
                    field.description() + (field.otherwise().contains("required") ? " Here: " : " Default: ")
                            + field.otherwise() + ".");
            property.putAll(shape(field.shape()));
            properties.put(field.name(), property);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("description", group.description());
        object.put("type", "object");
        object.put("properties", properties);
        object.put("additionalProperties", false);
        object.put("minProperties", 1);
        return object;
    }

    private static Map<String, Object> shape(Shape shape) {
        if (shape instanceof Shape.Words<?> words) {
            return anyOf(List.of(Map.of("enum", List.copyOf(words.words())), variable()));
        }
        if (shape instanceof Shape.Whole whole) {
            Map<String, Object> number = new LinkedHashMap<>();
            number.put("type", "integer");
            number.put("minimum", whole.least());
            number.put("maximum", whole.most());
            return anyOf(List.of(number, variable()));
        }
        if (shape instanceof Shape.Text text) {
            return text.pattern()
                    .map(pattern -> ordered("type", "string", "pattern", "^(" + pattern + ")$|" + VARIABLE))
                    .orElseGet(() -> ordered("type", List.of("string", "number", "boolean"), "minLength", 1));
        }
        if (shape instanceof Shape.ListOf list) {
            return list(list.item());
        }
        if (shape instanceof Shape.OneOrMore list) {
            return anyOf(List.of(shape(list.item()), list(list.item())));
        }
        if (shape instanceof Shape.Named named) {
            Map<String, Object> object = ordered("type", "object", "minProperties", 1);
            object.put("additionalProperties", shape(named.value()));
            return object;
        }
        if (shape instanceof Shape.AnyOf any) {
            List<Map<String, Object>> shapes = new ArrayList<>();
            any.shapes().forEach(each -> shapes.add(shape(each)));
            return anyOf(shapes);
        }
        if (shape instanceof Shape.Group group) {
            return ordered("$ref", "#/$defs/" + group.name());
        }
        return ordered("not", Map.of());
    }

    private static Map<String, Object> list(Shape item) {
        Map<String, Object> list = ordered("type", "array", "minItems", 1);
        list.put("items", shape(item));
        return list;
    }

    private static Map<String, Object> variable() {
        return ordered("type", "string", "pattern", VARIABLE);
    }

    private static Map<String, Object> anyOf(List<Map<String, Object>> shapes) {
        return ordered("anyOf", shapes);
    }

    private static Map<String, Object> ordered(Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
        }
        return map;
    }
}
