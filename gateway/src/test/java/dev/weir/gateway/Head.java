package dev.weir.gateway;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The first line of a message and its fields, as they came. */
record Head(String line, List<Map.Entry<String, String>> fields) {

    int status() {
        return Integer.parseInt(line.split(" ", 3)[1]);
    }

    String method() {
        return line.substring(0, line.indexOf(' '));
    }

    String target() {
        return line.split(" ", 3)[1];
    }

    List<String> all(String name) {
        return fields.stream()
                .filter(field -> field.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** The value of the one line of this name; empty when there is none, and a failure when there are several. */
    Optional<String> field(String name) {
        List<String> lines = all(name);
        if (lines.size() > 1) {
            throw new AssertionError("several lines of " + name + ": " + lines);
        }
        return lines.stream().findFirst();
    }

    boolean has(String name) {
        return !all(name).isEmpty();
    }
}
