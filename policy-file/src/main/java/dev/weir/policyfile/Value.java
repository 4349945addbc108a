package dev.weir.policyfile;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One value of the file, at its place and under the path of its field. Every method that reads it answers empty after it has reported
 * what is wrong.
 */
final class Value {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)(\\}?)");
    private static final Pattern VARIABLE_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern DIGITS = Pattern.compile("0|[1-9][0-9]{0,17}");
    private static final Set<String> NOTHING = Set.of("null", "Null", "NULL", "~");
    private static final int LONGEST_SHOWN = 80;

    /** A value under a name that the file chose. */
    record Named(String name, Place place, Value value) {
        /** Reports, at the name, that the name is wrong. */
        void misnamed(String message) {
            value.reading.problem(place, value.path, message);
        }
    }

    private final Yaml node;
    private final String path;
    private final Reading reading;

    Value(Yaml node, String path, Reading reading) {
        this.node = node;
        this.path = path;
        this.reading = reading;
    }

    Place place() {
        return node.place();
    }

    String path() {
        return path;
    }

    /** Warns of it. */
    void warn(WarningName name, String message) {
        reading.warning(name, node.place(), message);
    }

    /** Reports that it is wrong. Answers empty, so that a reader can return what it reports. */
    <T> Optional<T> wrong(String message) {
        reading.problem(node.place(), path, message);
        return Optional.empty();
    }

    boolean isScalar() {
        return node instanceof Yaml.Scalar;
    }

    boolean isMapping() {
        return node instanceof Yaml.Mapping;
    }

    boolean isSequence() {
        return node instanceof Yaml.Sequence;
    }

    /** Whether some of it comes from the environment. */
    boolean fromEnvironment() {
        return node instanceof Yaml.Scalar scalar && scalar.text().contains("${");
    }

    // One value

    /** Its text, variables filled in: not empty and without control characters. */
    Optional<String> text(Shape allowed) {
        if (node instanceof Yaml.Broken) {
            return Optional.empty();
        }
        if (!(node instanceof Yaml.Scalar scalar)) {
            return wrong((isMapping() ? "fields stand" : "a list stands") + " where one value belongs: "
                    + allowed.grammar() + bracesHint());
        }
        if (scalar.plain() && (scalar.text().isEmpty() || NOTHING.contains(scalar.text()))) {
            return wrong("there is no value: " + allowed.grammar() + "; or leave the field out");
        }
        return substituted(scalar.text()).flatMap(text -> {
            if (text.isEmpty()) {
                return wrong("the text is empty: " + allowed.grammar());
            }
            Optional<String> strange = Characters.refusedIn(text);
            return strange.isPresent() ? wrong("the text holds " + strange.get() + ": remove it") : Optional.of(text);
        });
    }

    /** What {@code path:{id}} without quotes has become in a list: fields within fields. */
    private String bracesHint() {
        return node instanceof Yaml.Mapping outer
                        && outer.entries().size() == 1
                        && outer.entries().get(0).name() instanceof Yaml.Scalar kind
                        && outer.entries().get(0).value() instanceof Yaml.Mapping inner
                        && inner.entries().size() == 1
                        && inner.entries().get(0).name() instanceof Yaml.Scalar name
                        && inner.entries().get(0).value() instanceof Yaml.Scalar nothing
                        && nothing.plain()
                        && nothing.text().isEmpty()
                ? "; a text with braces stands in quotes: \"" + shown(kind.text()) + ":{" + shown(name.text()) + "}\""
                : "";
    }

    private Optional<String> substituted(String text) {
        Matcher matcher = VARIABLE.matcher(text);
        StringBuilder filled = new StringBuilder();
        boolean complete = true;
        while (matcher.find()) {
            String name = matcher.group(1);
            Optional<String> value = Optional.empty();
            if (matcher.group(2).isEmpty() || !VARIABLE_NAME.matcher(name).matches()) {
                wrong("'" + shown(matcher.group())
                        + "' names no environment variable: ${NAME} with letters, digits and underscores");
            } else {
                value = reading.variable(name);
                if (value.isEmpty()) {
                    wrong("the environment variable " + name + " is not set: set it, or write the value here");
                }
            }
            complete &= value.isPresent();
            matcher.appendReplacement(filled, Matcher.quoteReplacement(value.orElse("")));
        }
        matcher.appendTail(filled);
        return complete ? Optional.of(filled.toString()) : Optional.empty();
    }

    /** Its text in a grammar whose parser throws {@link IllegalArgumentException} with what is wrong. */
    <T> Optional<T> parsed(Shape allowed, Function<String, T> parser) {
        return text(allowed).flatMap(text -> {
            try {
                return Optional.of(parser.apply(text));
            } catch (IllegalArgumentException e) {
                return wrong(String.valueOf(e.getMessage()));
            }
        });
    }

    /** The meaning of its word. */
    <T> Optional<T> word(Shape.Words<T> words) {
        return text(words).flatMap(text -> {
            T meaning = words.meanings().get(text);
            return meaning != null
                    ? Optional.of(meaning)
                    : wrong("'" + shown(text) + "' is not one of: " + words.grammar()
                            + Nearest.hint(text, words.words()));
        });
    }

    /** Its whole number. */
    OptionalLong whole(Shape.Whole whole) {
        return whole(whole, "");
    }

    /** Its whole number; the remedy is added to what is said when it is out of range. */
    OptionalLong whole(Shape.Whole whole, String remedy) {
        Optional<String> text = text(whole);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        if (node instanceof Yaml.Scalar scalar && !scalar.plain() && !fromEnvironment()) {
            wrong("'" + shown(text.get()) + "' in quotes is text: " + whole.grammar() + " stands without quotes");
            return OptionalLong.empty();
        }
        if (!DIGITS.matcher(text.get()).matches()) {
            wrong("'" + shown(text.get()) + "' is not " + whole.grammar() + ", in digits only" + remedy);
            return OptionalLong.empty();
        }
        long number = Long.parseLong(text.get());
        if (number < whole.least() || number > whole.most()) {
            wrong(number + " is not " + whole.grammar() + remedy);
            return OptionalLong.empty();
        }
        return OptionalLong.of(number);
    }

    // Lists

    /** What each element of a list, or the one value that stands for it, is read as. Empty when one of them is wrong or stands twice. */
    <T> Optional<List<T>> oneOrMore(Function<Value, Optional<T>> each) {
        return isSequence() ? list(each) : each.apply(this).map(List::of);
    }

    /** What each element of a list is read as. Empty when one of them is wrong or stands twice. */
    <T> Optional<List<T>> list(Function<Value, Optional<T>> each) {
        if (node instanceof Yaml.Broken) {
            return Optional.empty();
        }
        if (!(node instanceof Yaml.Sequence sequence)) {
            return wrong("a list belongs here: [ ... ]");
        }
        if (sequence.items().isEmpty()) {
            return wrong("the list is empty: name at least one element, or leave the field out");
        }
        List<T> read = new ArrayList<>();
        Set<T> distinct = new HashSet<>();
        for (int i = 0; i < sequence.items().size(); i++) {
            Value item = new Value(sequence.items().get(i), path + "[" + (i + 1) + "]", reading);
            each.apply(item).ifPresent(value -> {
                if (distinct.add(value)) {
                    read.add(value);
                } else {
                    item.wrong("this element stands twice: remove one");
                }
            });
        }
        return read.size() == sequence.items().size() ? Optional.of(read) : Optional.empty();
    }

    // Mappings

    /** Its fields, which must be those of the group. Those that are unknown or doubled have then been reported. */
    Optional<Fields> fields(Shape.Group group) {
        return entries("the fields of " + group.name()).map(entries -> Fields.of(group, entries, path, reading));
    }

    /** Its values under names that the file chooses. Doubled names have then been reported. */
    List<Named> named(Shape.Named shape) {
        List<Named> named = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Yaml.Entry entry : entries(shape.grammar()).orElse(List.of())) {
            Optional<String> name = name(entry.name(), path, reading);
            if (name.isEmpty()) {
                continue;
            }
            String field = path.isEmpty() ? name.get() : path + "." + name.get();
            if (name.get().isEmpty()) {
                reading.problem(entry.name().place(), path, "the name is empty");
            } else if (name.get().contains("${")) {
                reading.problem(
                        entry.name().place(),
                        field,
                        "a variable stands in a name: ${NAME} is filled in in values only");
            } else if (Characters.refusedIn(name.get()).isPresent()) {
                reading.problem(
                        entry.name().place(),
                        path,
                        "the name holds " + Characters.refusedIn(name.get()).get() + ": remove it");
            } else if (!names.add(name.get())) {
                reading.problem(entry.name().place(), field, "'" + shown(name.get()) + "' stands twice: remove one");
            } else {
                named.add(new Named(name.get(), entry.name().place(), new Value(entry.value(), field, reading)));
            }
        }
        return named;
    }

    private Optional<List<Yaml.Entry>> entries(String allowed) {
        if (node instanceof Yaml.Broken) {
            return Optional.empty();
        }
        if (!(node instanceof Yaml.Mapping mapping)) {
            boolean absent = node instanceof Yaml.Scalar scalar
                    && scalar.plain()
                    && scalar.text().isEmpty();
            return wrong((absent ? "there is no value" : isSequence() ? "a list stands here" : "one value stands here")
                    + ": fields belong here, " + allowed);
        }
        if (mapping.entries().isEmpty()) {
            return wrong("this is empty: name at least one field, or leave it out");
        }
        return Optional.of(mapping.entries());
    }

    /** The text of a name; empty after reporting that it is none. */
    static Optional<String> name(Yaml name, String path, Reading reading) {
        if (name instanceof Yaml.Scalar scalar) {
            return Optional.of(scalar.text());
        }
        if (!(name instanceof Yaml.Broken)) {
            reading.problem(name.place(), path, "a list or fields stand where a name belongs");
        }
        return Optional.empty();
    }

    /** A text cut to a length that an error can hold. */
    static String shown(String text) {
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
    }
}
