package dev.weir.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.weir.checks.fixture.surface.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The public surface is what {@code public-surface.txt} says, and changes only together with it. */
class PublicSurfaceTest {
    private static final Path FILE = Modules.root().resolve("checks/public-surface.txt");
    private static final String REWRITE =
            "mvn -pl checks -am test -Dtest=PublicSurfaceTest -Dsurefire.failIfNoSpecifiedTests=false -Dsurface.update=true";

    @Test
    void isTheReviewedOne() throws IOException {
        List<String> surface = new ArrayList<>();
        for (String module : Modules.PUBLISHED) {
            PublicSurface found = new PublicSurface(Modules.classesOf(List.of(module)));
            System.out.println("Public surface of " + module + ": " + found.share());
            surface.add("# " + module);
            surface.addAll(found.lines());
        }
        if (Boolean.getBoolean("weir.surface.update")) {
            Files.write(FILE, surface);
        }
        List<String> differences = differences(Files.readAllLines(FILE), surface);

        assertThat(differences)
                .withFailMessage(() -> "The public surface differs from checks/public-surface.txt:\n"
                        + String.join("\n", differences)
                        + "\nIf that is meant, rewrite the file and commit it:\n" + REWRITE)
                .isEmpty();
    }

    @Test
    void listsWhatUsersCanReachAndNothingElse() {
        PublicSurface surface = new PublicSurface(new ClassFileImporter().importPackages(Shown.class.getPackageName()));

        assertThat(surface.lines())
                .containsExactly(
                        "abstract class dev.weir.checks.fixture.surface.Shown<T extends Number> implements Iterable<T>",
                        "    mutable int count",
                        "    static String NAME",
                        "    protected new(T)",
                        "    abstract List<T> all() throws InterruptedException",
                        "    protected <S> void keep(S, int[])",
                        "sealed interface dev.weir.checks.fixture.surface.Shown$Kind",
                        "    default int weight()",
                        "record dev.weir.checks.fixture.surface.Shown$Kind$One(String name) implements Shown.Kind",
                        "    static Shown.Kind.One of()",
                        "enum dev.weir.checks.fixture.surface.Shown$Order",
                        "    SECOND",
                        "    FIRST");
        assertThat(surface.share()).isEqualTo("4 of 6 types are public (67 %)");
    }

    @Test
    void tellsWhatCameAndWhatWent() {
        assertThat(differences(
                        List.of("class A", "    int x", "class B", "    int x"),
                        List.of("class A", "    int x", "    int y", "class B")))
                .containsExactly("- class B:     int x", "+ class A:     int y");
        assertThat(differences(List.of("class A"), List.of("class A"))).isEmpty();
        assertThat(differences(List.of("class A", "class B"), List.of("class B", "class A")))
                .containsExactly("the order of the lines");
    }

    private static List<String> differences(List<String> reviewed, List<String> found) {
        Set<String> before = withTheirType(reviewed);
        Set<String> after = withTheirType(found);
        List<String> differences = new ArrayList<>();
        before.stream().filter(line -> !after.contains(line)).forEach(line -> differences.add("- " + line));
        after.stream().filter(line -> !before.contains(line)).forEach(line -> differences.add("+ " + line));
        if (differences.isEmpty() && !reviewed.equals(found)) {
            differences.add("the order of the lines");
        }
        return differences;
    }

    private static Set<String> withTheirType(List<String> lines) {
        Set<String> full = new LinkedHashSet<>();
        String type = "";
        for (String line : lines) {
            type = line.startsWith(" ") ? type : line;
            full.add(line.startsWith(" ") ? type + ": " + line : line);
        }
        return full;
    }
}
