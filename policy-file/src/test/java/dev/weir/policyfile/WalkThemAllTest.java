package dev.weir.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;

/**
 * No setting is read by nobody: whatever scalar of the reference file is changed, names included, the policy is another one or the
 * file is refused at that scalar.
 */
class WalkThemAllTest {

    private static final String REFERENCE = Reads.text("reference.yaml");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    /** Names that other places refer to: changing them is an error there. */
    private static final Set<String> REFERRED_TO =
            Set.of("orders", "list-orders", "one-order", "send-message", "ledger");
    /** Words with fields that only make sense beside them: changing one into another word is an error at such a field,
     * as it is when the other word is there already. */
    private static final Map<String, Set<String>> PARTNERS = Map.of(
            "bucket", Set.of("burst"),
            "token-bucket", Set.of("burst"),
            "leaky-queue", Set.of("depth", "max-wait"),
            "target-latency", Set.of("target"),
            "arrival", Set.of("fair-by"),
            "fleet", Set.of("on-store-failure"),
            "no", Set.of("sentinel", "database"),
            "critical-plus", Set.of("critical", "sheddable-plus"),
            "critical", Set.of("sheddable-plus"),
            "sheddable", Set.of("sheddable-plus"));

    private record Scalar(int from, int to, Place place, String text, ScalarStyle style) {}

    @Test
    void everyScalarMatters() {
        String original = said(Reads.loaded(REFERENCE));
        List<String> ignored = new ArrayList<>();
        int errors = 0;
        int changes = 0;
        for (Scalar scalar : scalars()) {
            for (Map.Entry<String, String> mutation : mutations(scalar).entrySet()) {
                String mutated =
                        REFERENCE.substring(0, scalar.from()) + mutation.getValue() + REFERENCE.substring(scalar.to());
                String what = scalar.place() + " " + scalar.text() + " -> " + mutation.getKey();
                Loaded loaded = Reads.loaded(mutated);
                if (loaded instanceof Loaded.Refused refused) {
                    errors++;
                    if (!refused.problems().stream().allMatch(p -> atOrReferring(p, scalar))) {
                        ignored.add(what + ": " + refused.problems());
                    }
                } else {
                    changes++;
                    if (original.equals(said(loaded))) {
                        ignored.add(what + ": nothing changed");
                    }
                }
            }
        }
        assertThat(ignored).isEmpty();
        assertThat(errors).isGreaterThan(250);
        assertThat(changes).isGreaterThan(250);
    }

    @Test
    void theSameFileIsTheSamePolicy() {
        // Ranges that cannot be told apart by text are compared where they are made.
        assertThat(Dump.of(Reads.policy(REFERENCE)).replaceAll("AddressRange@[0-9a-f]+", "range"))
                .isEqualTo(Dump.of(Reads.policy(REFERENCE)).replaceAll("AddressRange@[0-9a-f]+", "range"));
    }

    @Test
    void theReferenceFileUsesEveryField() {
        Set<String> used = new TreeSet<>();
        scalars().forEach(scalar -> used.add(scalar.text()));
        Set<String> defined = new TreeSet<>();
        for (Shape.Group group : Sections.groups()) {
            group.fields().stream().map(Field::name).forEach(defined::add);
        }
        assertThat(used).containsAll(defined);
    }

    private static String said(Loaded loaded) {
        Loaded.Understood understood = (Loaded.Understood) loaded;
        return Dump.of(understood.policy()) + Dump.of(understood.gateway());
    }

    private static boolean atOrReferring(Problem problem, Scalar scalar) {
        if (new Place(problem.line(), problem.column()).equals(scalar.place())) {
            return true;
        }
        String field = problem.field().orElse("");
        return (REFERRED_TO.contains(scalar.text())
                        && (field.contains(".instead-of")
                                || field.contains(".match.route")
                                || field.endsWith("].outbound")))
                || PARTNERS.getOrDefault(scalar.text(), Set.of()).contains(field.substring(field.lastIndexOf('.') + 1));
    }

    private static List<Scalar> scalars() {
        List<Scalar> scalars = new ArrayList<>();
        for (Event event : new Parse(LoadSettings.builder().build()).parseString(REFERENCE)) {
            if (event instanceof ScalarEvent scalar) {
                var start = scalar.getStartMark().orElseThrow();
                var end = scalar.getEndMark().orElseThrow();
                scalars.add(new Scalar(
                        start.getIndex(),
                        end.getIndex(),
                        new Place(start.getLine() + 1, start.getColumn() + 1),
                        scalar.getValue(),
                        scalar.getScalarStyle()));
            }
        }
        return scalars;
    }

    /** What it may become, by what it is, in the quotes that it has. */
    private static Map<String, String> mutations(Scalar scalar) {
        Set<String> texts = new LinkedHashSet<>();
        texts.add(scalar.text() + "x");
        texts.add("x" + scalar.text());
        texts.add("?!");
        Matcher number = NUMBER.matcher(scalar.text());
        while (number.find()) {
            if (number.group().length() < 10) {
                long next = Long.parseLong(number.group()) + 1;
                texts.add(scalar.text().substring(0, number.start())
                        + next
                        + scalar.text().substring(number.end()));
            }
        }
        for (Shape.Group group : Sections.groups()) {
            group.fields().forEach(field -> otherWords(field.shape(), scalar.text(), texts));
        }
        texts.remove(scalar.text());
        Map<String, String> mutations = new LinkedHashMap<>();
        for (String text : texts) {
            mutations.put(
                    text, scalar.style() == ScalarStyle.PLAIN && !text.contains("?!") ? text : "\"" + text + "\"");
        }
        return mutations;
    }

    private static void otherWords(Shape shape, String word, Set<String> texts) {
        if (shape instanceof Shape.Words<?> words && words.words().contains(word)) {
            words.meanings().forEach((other, meaning) -> {
                if (!meaning.equals(words.meanings().get(word))) {
                    texts.add(other);
                }
            });
        } else if (shape instanceof Shape.AnyOf any) {
            any.shapes().forEach(each -> otherWords(each, word, texts));
        } else if (shape instanceof Shape.OneOrMore list) {
            otherWords(list.item(), word, texts);
        } else if (shape instanceof Shape.Named named) {
            otherWords(named.value(), word, texts);
        }
    }
}
