package dev.weir.policyfile;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Writes maps, lists, texts, numbers and truth values as JSON, two blanks a level. */
final class Json {

    private final StringBuilder out = new StringBuilder();

    private Json() {}

    static String of(Object value) {
        Json json = new Json();
        json.write(value, "\n");
        return json.out.append('\n').toString();
    }

    private void write(Object value, String indent) {
        if (value instanceof Map<?, ?> map) {
            Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
            sequence('{', entries, '}', indent, entry -> {
                text(String.valueOf(entry.getKey()));
                out.append(": ");
                write(entry.getValue(), indent + "  ");
            });
        } else if (value instanceof List<?> list) {
            sequence('[', list.iterator(), ']', indent, item -> write(item, indent + "  "));
        } else if (value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            text(value.toString());
        }
    }

    private interface Writer<T> {
        void write(T item);
    }

    private <T> void sequence(char begin, Iterator<? extends T> items, char end, String indent, Writer<T> writer) {
        out.append(begin);
        boolean any = items.hasNext();
        while (items.hasNext()) {
            out.append(indent).append("  ");
            writer.write(items.next());
            out.append(items.hasNext() ? "," : "");
        }
        out.append(any ? indent : "").append(end);
    }

    private void text(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
