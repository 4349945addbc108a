package dev.weir.policyfile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The fields that a file gives to a group of known ones. */
final class Fields {

    private record Found(Place name, Value value) {}

    private final Shape.Group group;
    private final Map<String, Found> found = new HashMap<>();
    private final String path;
    private final Reading reading;
    private boolean understood = true;

    private Fields(Shape.Group group, String path, Reading reading) {
        this.group = group;
        this.path = path;
        this.reading = reading;
    }

    static Fields of(Shape.Group group, List<Yaml.Entry> entries, String path, Reading reading) {
        Fields fields = new Fields(group, path, reading);
        entries.forEach(fields::add);
        return fields;
    }

    private void add(Yaml.Entry entry) {
        Optional<String> name = Value.name(entry.name(), path, reading);
        if (name.isEmpty()) {
            understood = false;
            return;
        }
        Place place = entry.name().place();
        String field = path(name.get());
        Optional<Field> known = group.field(name.get());
        if (known.isEmpty()) {
            understood = false;
            List<String> names = group.fields().stream().map(Field::name).toList();
            reading.problem(
                    place,
                    field,
                    "'" + Value.shown(name.get()) + "' is not a field of " + group.name()
                            + Nearest.hint(name.get(), names) + "; known are " + String.join(", ", names));
        } else if (found.containsKey(name.get())) {
            reading.problem(place, field, "'" + name.get() + "' stands twice: remove one");
        } else {
            found.put(name.get(), new Found(place, new Value(entry.value(), field, reading)));
        }
    }

    private String path(String name) {
        String shown = Value.shown(name);
        return path.isEmpty() ? shown : path + "." + shown;
    }

    /** Whether every name in it was known, so that what is absent was not merely misspelt. */
    boolean understood() {
        return understood;
    }

    boolean has(String name) {
        return get(name).isPresent();
    }

    /** The value of a field of the group. */
    Optional<Value> get(String name) {
        if (group.field(name).isEmpty()) {
            throw new IllegalArgumentException(name + " is not defined in " + group.name());
        }
        return Optional.ofNullable(found.get(name)).map(Found::value);
    }

    /** What a field is read as. Empty when it is not there or wrong. */
    <T> Optional<T> read(String name, Function<Value, Optional<T>> reader) {
        return get(name).flatMap(reader);
    }

    /** What a field is read as, or something else when it is not there. Empty only when it is wrong. */
    <T> Optional<T> readOr(String name, T otherwise, Function<Value, Optional<T>> reader) {
        return has(name) ? read(name, reader) : Optional.of(otherwise);
    }

    /** Where the name of a field stands that is there. */
    Place place(String name) {
        Found there = found.get(name);
        if (there == null) {
            throw new IllegalArgumentException(name + " is not there");
        }
        return there.name();
    }

    /** Reports, at its name, that a field is out of place. */
    void misplaced(String name, String message) {
        reading.problem(place(name), path(name), message);
    }

    /** Reports that {@code missing} is not beside {@code present}, unless a name that was not understood may have been it. */
    void lacks(String present, String missing, String message) {
        if (understood && !has(missing)) {
            misplaced(present, message);
        }
    }

    /** Reports each of two fields that stands without the other. */
    void requireBoth(String one, String other) {
        if (has(one)) {
            lacks(one, other, "'" + one + "' stands without '" + other + "': name both");
        }
        if (has(other)) {
            lacks(other, one, "'" + other + "' stands without '" + one + "': name both");
        }
    }
}
