package dev.weir.gateway;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the admin port answers.
 *
 * @param fields beside those that every answer has
 */
record Answer(int status, String mediaType, Map<String, String> fields, String body) {

    static final String JSON = "application/json";
    static final String PROBLEM = "application/problem+json";

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** A JSON answer, for people to read as well. */
    static Answer json(int status, Map<String, ?> body) {
        return new Answer(status, JSON, Map.of(), MAPPER.writeValueAsString(body) + "\n");
    }

    /** A problem in the form of RFC 9457. */
    static Answer problem(int status, String title, String detail) {
        return problem(status, title, detail, Map.of());
    }

    /** A problem with members of its own. */
    static Answer problem(int status, String title, String detail, Map<String, ?> more) {
        Map<String, Object> body = object("type", "about:blank", "title", title, "status", status, "detail", detail);
        body.putAll(more);
        return new Answer(status, PROBLEM, Map.of(), MAPPER.writeValueAsString(body) + "\n");
    }

    /** The same with one more field. */
    Answer with(String field, String value) {
        Map<String, String> more = new LinkedHashMap<>(fields);
        more.put(field, value);
        return new Answer(status, mediaType, more, body);
    }

    /** A JSON object whose members keep their order: name, value, name, value. */
    static Map<String, Object> object(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return object;
    }

    /** A part of a list, with what it takes to ask for the next one. */
    static Map<String, Object> page(String name, List<?> all, Asked asked) {
        int offset = asked.number("offset", 0, 0, Integer.MAX_VALUE);
        int limit = asked.number("limit", 100, 1, 1_000);
        int from = Math.min(offset, all.size());
        int to = (int) Math.min((long) from + limit, all.size());
        Map<String, Object> page = object("total", all.size(), "offset", offset, "limit", limit);
        page.put(name, all.subList(from, to));
        return page;
    }
}
