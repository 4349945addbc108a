package dev.weir.policyfile;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/**
 * Reads the text of a file into a tree with places. Refuses what could make a small file large or say a thing twice: anchors, aliases,
 * tags, directives, several documents, deep nesting.
 */
final class YamlTree {

    private static final int MAX_DEPTH = 32;
    private static final Pattern INSIDE_BRACES =
            Pattern.compile("expected ',' or (?:'[}\\]]', but got ([{\\[])|'}', but got (:))");

    private final Reading reading;
    private final Iterator<Event> events;
    private Place last = Place.START;

    private YamlTree(Iterator<Event> events, Reading reading) {
        this.events = events;
        this.reading = reading;
    }

    /** The root of the only document; empty when there is none or the text is not YAML, which has then been reported. */
    static Optional<Yaml> read(String text, Reading reading) {
        if (text.length() > PolicyFile.MAX_BYTES
                || text.getBytes(StandardCharsets.UTF_8).length > PolicyFile.MAX_BYTES) {
            reading.unreadable(Place.START, TextFile.tooLarge(PolicyFile.MAX_BYTES));
            return Optional.empty();
        }
        String body = text.startsWith("\ufeff") ? text.substring(1) : text;
        Characters.check(body, reading::unreadable);
        if (reading.hasProblems()) {
            return Optional.empty();
        }
        LoadSettings settings = LoadSettings.builder().setLabel(reading.file()).build();
        YamlTree tree = new YamlTree(new Parse(settings).parseString(body).iterator(), reading);
        try {
            return tree.document();
        } catch (TooDeep e) {
            reading.unreadable(tree.last, "values are nested deeper than " + MAX_DEPTH + " levels");
        } catch (MarkedYamlEngineException e) {
            Optional<Mark> mark = isAlias(e) ? e.getContextMark() : e.getProblemMark();
            reading.unreadable(mark.map(YamlTree::place).orElse(tree.last), explained(e));
        } catch (RuntimeException e) {
            // The library lets a few of its own slips out, such as a number too large in a directive.
            reading.unreadable(tree.last, "this is not YAML: " + oneLine(String.valueOf(e.getMessage())));
        }
        return Optional.empty();
    }

    private Optional<Yaml> document() {
        next(); // the stream begins
        if (!(next() instanceof DocumentStartEvent start)) {
            reading.unreadable(Place.START, "the file is empty: a policy begins with weir: 1");
            return Optional.empty();
        }
        refuseDirectives(start);
        Yaml root = node(next(), Place.START, 0);
        next(); // the document ends
        if (next() instanceof DocumentStartEvent) {
            reading.unreadable(last, "a second document begins here: a policy file holds one");
        }
        if (root instanceof Yaml.Scalar scalar
                && scalar.plain()
                && scalar.text().isEmpty()) {
            reading.unreadable(Place.START, "the file is empty: a policy begins with weir: 1");
            return Optional.empty();
        }
        return Optional.of(root);
    }

    private void refuseDirectives(DocumentStartEvent start) {
        if (start.getSpecVersion().isPresent() || !start.getTags().isEmpty()) {
            reading.unreadable(last, "a YAML directive (%) has no meaning in a policy file: leave it out");
        }
    }

    private Yaml node(Event event, Place ifEmpty, int depth) {
        if (depth > MAX_DEPTH) {
            throw new TooDeep();
        }
        Place place = last;
        if (event instanceof AliasEvent) {
            reading.unreadable(
                    place,
                    "an alias (*) repeats what stands elsewhere: write it out; a text that begins with * stands in quotes");
            return new Yaml.Broken(place);
        }
        if (event instanceof NodeEvent node && node.getAnchor().isPresent()) {
            reading.unreadable(
                    place,
                    "an anchor (&) has no meaning in a policy file: leave it out; a text that begins with & stands in quotes");
        }
        if (event instanceof ScalarEvent scalar) {
            refuseTag(scalar.getTag(), place);
            boolean absent = scalar.isPlain() && scalar.getValue().isEmpty();
            return new Yaml.Scalar(absent ? ifEmpty : place, scalar.getValue(), scalar.isPlain());
        }
        if (event instanceof SequenceStartEvent sequence) {
            refuseTag(sequence.getTag(), place);
            List<Yaml> items = new ArrayList<>();
            for (Event item = next(); item.getEventId() != Event.ID.SequenceEnd; item = next()) {
                items.add(node(item, last, depth + 1));
            }
            return new Yaml.Sequence(place, List.copyOf(items));
        }
        refuseTag(((MappingStartEvent) event).getTag(), place);
        List<Yaml.Entry> entries = new ArrayList<>();
        for (Event name = next(); name.getEventId() != Event.ID.MappingEnd; name = next()) {
            Yaml key = node(name, last, depth + 1);
            entries.add(new Yaml.Entry(key, node(next(), key.place(), depth + 1)));
        }
        return new Yaml.Mapping(place, List.copyOf(entries));
    }

    private void refuseTag(Optional<String> tag, Place place) {
        if (tag.isPresent()) {
            reading.unreadable(
                    place,
                    "a tag (!) has no meaning in a policy file: leave it out; a text that begins with ! stands in quotes");
        }
    }

    private Event next() {
        Event event = events.next();
        last = event.getStartMark().map(YamlTree::place).orElse(last);
        return event;
    }

    private static Place place(Mark mark) {
        return new Place(mark.getLine() + 1, mark.getColumn() + 1);
    }

    private static String explained(MarkedYamlEngineException e) {
        String problem = String.valueOf(e.getProblem());
        if (problem.contains("mapping values are not allowed here")) {
            return "a colon and a space stand inside a value here: put the value in quotes, or begin the field on a line of its own";
        }
        if (isAlias(e)) {
            return "a text that begins with * stands in quotes: \"*\"";
        }
        Matcher inside = INSIDE_BRACES.matcher(problem);
        if (inside.find()) {
            return "a " + (inside.group(1) == null ? ":" : inside.group(1))
                    + " stands inside a value within braces here: put the value in quotes, such as \"${NAME}\", \"path:{name}\" or \"http://[::1]:8081\"";
        }
        if (problem.contains("expected the node content, but found ':'")) {
            return "a text that begins with [ stands in quotes, such as \"[::1]:8080\"";
        }
        String context = e.getContext() == null ? "" : " (" + e.getContext() + ")";
        return "this is not YAML: " + oneLine(problem + context);
    }

    private static boolean isAlias(MarkedYamlEngineException e) {
        return String.valueOf(e.getContext()).contains("scanning an alias");
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    }

    private static final class TooDeep extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
