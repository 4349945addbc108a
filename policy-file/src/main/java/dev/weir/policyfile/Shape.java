package dev.weir.policyfile;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What may stand as the value of a field: the one description that parser, schema and reference page share. */
sealed interface Shape {

    /** In words, for the reference page and for errors. */
    String grammar();

    /** One of a few words, each with its meaning. */
    record Words<T>(Map<String, T> meanings) implements Shape {
        static <E extends Enum<E>> Words<E> of(E[] values, Function<E, String> word) {
            Map<String, E> meanings = new LinkedHashMap<>();
            for (E value : values) {
                meanings.put(word.apply(value), value);
            }
            return new Words<>(meanings);
        }

        Collection<String> words() {
            return meanings.keySet();
        }

        @Override
        public String grammar() {
            return String.join(", ", words());
        }
    }

    /**
     * A text.
     *
     * @param grammar in words
     * @param pattern what all such texts match; empty: any text, numbers and words without quotes included
     */
    record Text(String grammar, Optional<String> pattern) implements Shape {
        static Text any(String grammar) {
            return new Text(grammar, Optional.empty());
        }

        static Text like(String grammar, String pattern) {
            return new Text(grammar, Optional.of(pattern));
        }
    }

    /** A whole number in digits, without quotes. */
    record Whole(long least, long most) implements Shape {
        @Override
        public String grammar() {
            return least == most ? String.valueOf(least) : "a whole number from " + least + " to " + most;
        }
    }

    /** A list with at least one element. */
    record ListOf(Shape item) implements Shape {
        @Override
        public String grammar() {
            return "a list of: " + item.grammar();
        }
    }

    /** A value, or a list of such values with at least one element. */
    record OneOrMore(Shape item) implements Shape {
        @Override
        public String grammar() {
            return item.grammar() + "; or a list of these";
        }
    }

    /** Values under names that the file chooses, at least one. */
    record Named(String name, Shape value) implements Shape {
        @Override
        public String grammar() {
            return "for each " + name + ": " + value.grammar();
        }
    }

    /** Any of these. */
    record AnyOf(List<Shape> shapes) implements Shape {
        static AnyOf of(Shape... shapes) {
            return new AnyOf(List.of(shapes));
        }

        @Override
        public String grammar() {
            return shapes.stream()
                    .map(Shape::grammar)
                    .reduce((a, b) -> a + "; or " + b)
                    .orElseThrow();
        }
    }

    /**
     * Fields under known names.
     *
     * @param name what the group is called in schema and reference page
     * @param description one sentence
     */
    record Group(String name, String description, List<Field> fields) implements Shape {
        Optional<Field> field(String field) {
            return fields.stream().filter(f -> f.name().equals(field)).findFirst();
        }

        @Override
        public String grammar() {
            return name;
        }
    }
}
