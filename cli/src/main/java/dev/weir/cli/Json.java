package dev.weir.cli;

import java.io.PrintWriter;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/** What {@code --json} prints: one compact document and a newline. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .build();

    private Json() {}

    /** Prints records, ordered maps, lists, text and numbers. Fields keep the order in which they were declared or put in. */
    static void print(PrintWriter out, Object value) {
        out.print(MAPPER.writeValueAsString(value));
        out.print('\n');
    }
}
