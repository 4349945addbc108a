package dev.weir.sim;

import dev.weir.policyfile.Nearest;
import dev.weir.policyfile.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** A value of a scenario at its place. What is wrong with it is reported there, and something else is read for it. */
final class Part {

    /** What is wrong with one file. */
    record Problems(String file, List<Problem> found) {
        void add(Node node, String field, String message) {
            int line = node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
            int column = node.getStartMark().map(mark -> mark.getColumn() + 1).orElse(1);
            found.add(new Problem(file, line, column, Optional.of(field).filter(path -> !path.isEmpty()), message));
        }
    }

    private final Node node;
    private final String path;
    private final Problems problems;

    Part(Node node, String path, Problems problems) {
        this.node = node;
        this.path = path;
        this.problems = problems;
    }

    /** Says that it is wrong. */
    void wrong(String message) {
        problems.add(node, path, message);
    }

    boolean isMapping() {
        return node instanceof MappingNode;
    }

    /** What its text says by a grammar that throws {@link IllegalArgumentException} at what it does not know. */
    <T> Optional<T> read(Function<String, T> grammar) {
        if (!(node instanceof ScalarNode scalar)) {
            wrong("one value belongs here, not " + (isMapping() ? "fields" : "a list"));
            return Optional.empty();
        }
        try {
            return Optional.of(grammar.apply(scalar.getValue().strip()));
        } catch (IllegalArgumentException e) {
            wrong(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** The elements of a list. */
    List<Part> items() {
        if (!(node instanceof SequenceNode list)) {
            wrong("a list belongs here: [ ... ]");
            return List.of();
        }
        List<Part> items = new ArrayList<>();
        for (Node item : list.getValue()) {
            items.add(new Part(item, path + "[" + (items.size() + 1) + "]", problems));
        }
        return items;
    }

    /** Values under names that the file chooses. */
    Map<String, Part> named() {
        Map<String, Part> named = new LinkedHashMap<>();
        if (!(node instanceof MappingNode mapping)) {
            wrong("fields belong here");
            return named;
        }
        for (NodeTuple entry : mapping.getValue()) {
            String name = entry.getKeyNode() instanceof ScalarNode key ? key.getValue() : "?";
            String field = path.isEmpty() ? name : path + "." + name;
            if (named.put(name, new Part(entry.getValueNode(), field, problems)) != null) {
                problems.add(entry.getKeyNode(), field, "'" + name + "' stands twice: remove one");
            }
        }
        return named;
    }

    /** Values under known names. */
    Fields fields(String... known) {
        Map<String, Part> named = named();
        List<String> names = List.of(known);
        if (node instanceof MappingNode mapping) {
            for (NodeTuple entry : mapping.getValue()) {
                if (entry.getKeyNode() instanceof ScalarNode key && !names.contains(key.getValue())) {
                    problems.add(
                            key,
                            path.isEmpty() ? key.getValue() : path + "." + key.getValue(),
                            "'" + key.getValue() + "' is not known here"
                                    + Nearest.hint(key.getValue(), names)
                                    + "; known are " + String.join(", ", names));
                }
            }
        }
        return new Fields(this, named, names.containsAll(named.keySet()));
    }

    /**
     * Some fields and what holds for those that are left out.
     *
     * @param understood whether every name was known, so that what is absent was not merely misspelt
     */
    record Fields(Part of, Map<String, Part> named, boolean understood) {

        Optional<Part> get(String name) {
            return Optional.ofNullable(named.get(name));
        }

        <T> Optional<T> read(String name, Function<String, T> grammar) {
            return get(name).flatMap(part -> part.read(grammar));
        }

        <T> T read(String name, Function<String, T> grammar, T otherwise) {
            return read(name, grammar).orElse(otherwise);
        }

        /** A field that must be there. */
        <T> T need(String name, Function<String, T> grammar, T ifWrong) {
            require(name);
            return read(name, grammar, ifWrong);
        }

        /** Says that a field is missing, if it is. */
        void require(String name) {
            if (understood && !named.containsKey(name)) {
                of.wrong("'" + name + "' is missing");
            }
        }

        /** A value, or fields whose names are the times from which on their values hold. */
        <T> Steps<T> steps(String name, Function<String, T> grammar, T otherwise) {
            return get(name).map(part -> part.steps(grammar, otherwise)).orElseGet(() -> Steps.always(otherwise));
        }
    }

    private <T> Steps<T> steps(Function<String, T> grammar, T ifWrong) {
        if (!isMapping()) {
            return Steps.always(read(grammar).orElse(ifWrong));
        }
        List<Long> times = new ArrayList<>();
        List<T> values = new ArrayList<>();
        named().forEach((time, part) -> {
            try {
                long atNanos = Grammar.durationNanos(time);
                if (times.isEmpty() ? atNanos != 0 : atNanos <= times.get(times.size() - 1)) {
                    part.wrong("times begin with 0s and rise");
                }
                times.add(atNanos);
            } catch (IllegalArgumentException e) {
                part.wrong(String.valueOf(e.getMessage()));
                times.add(0L);
            }
            values.add(part.read(grammar).orElse(ifWrong));
        });
        return values.isEmpty() ? Steps.always(ifWrong) : new Steps<>(List.copyOf(times), List.copyOf(values));
    }
}
