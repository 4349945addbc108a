package dev.weir.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the pages say is there. */
class DocsTest {
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(<?([^)\\s>]+)>?(?:\\s+\"[^\"]*\")?\\)");
    private static final Pattern COMMAND = Pattern.compile("(?:\\$ )?(?:\\S+=\\S+ )*\\./weir(?: +([^\\s|<>&;]+))?.*");
    private static final Set<String> NO_PAGES = Set.of("target", ".git", "node_modules");

    @Test
    void everyRelativeLinkLeadsSomewhere() {
        assertThat(pages().stream().flatMap(page -> deadLinks(page, text(page)).stream()))
                .isEmpty();
    }

    @Test
    void aDeadLinkIsFound() {
        Path page = Modules.root().resolve("README.md");

        assertThat(deadLinks(page, "# Two words\n[a](LICENSE) [b](#two-words) [c](https://example.org/x) [d](core)"))
                .isEmpty();
        assertThat(deadLinks(
                        page, "# Two words\n[a](LICENCE) [b](#three-words) [c](core/none.md)\n```\n[d](none)\n```"))
                .containsExactly("README.md: LICENCE", "README.md: #three-words", "README.md: core/none.md");
    }

    @Test
    void everyCommandOfAConsoleBlockIsKnown() {
        Set<String> used = new TreeSet<>();
        pages().forEach(page -> used.addAll(commands(text(page))));

        assertThat(used)
                .allSatisfy(command -> assertThat(exitCode(command, "--help"))
                        .as("./weir %s --help", command)
                        .isZero());
    }

    @Test
    void anUnknownCommandIsFound() {
        assertThat(
                        commands(
                                "```console\n$ ./weir hash x\nout\n$ A=b ./weir frobnicate | head\n$ ./weir --help\n```\n./weir none"))
                .containsExactly("hash", "frobnicate");
        assertThat(exitCode("frobnicate", "--help")).isEqualTo(2);
    }

    private static List<Path> pages() {
        List<Path> pages = new ArrayList<>();
        addPages(Modules.root(), pages);
        return pages;
    }

    private static void addPages(Path folder, List<Path> pages) {
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : entries.sorted().toList()) {
                if (Files.isDirectory(entry)) {
                    if (!NO_PAGES.contains(entry.getFileName().toString())) {
                        addPages(entry, pages);
                    }
                } else if (entry.toString().endsWith(".md")) {
                    pages.add(entry);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> deadLinks(Path page, String text) {
        List<String> dead = new ArrayList<>();
        Matcher link = LINK.matcher(withoutFences(text));
        while (link.find()) {
            String target = link.group(1);
            if (!target.matches("[a-z]+:.*") && !leadsSomewhere(page, text, target)) {
                dead.add(Modules.root().relativize(page) + ": " + target);
            }
        }
        return dead;
    }

    private static boolean leadsSomewhere(Path page, String text, String target) {
        int hash = target.indexOf('#');
        String file = URLDecoder.decode(hash < 0 ? target : target.substring(0, hash), StandardCharsets.UTF_8);
        Path found = file.isEmpty() ? page : page.resolveSibling(file);
        if (!Files.exists(found)) {
            return false;
        }
        return hash < 0 || anchors(file.isEmpty() ? text : text(found)).contains(target.substring(hash + 1));
    }

    /** The anchors that headings get: lower case, blanks to hyphens, other punctuation dropped. */
    private static Set<String> anchors(String text) {
        return withoutFences(text)
                .lines()
                .filter(line -> line.matches("#{1,6} .*"))
                .map(line -> line.replaceFirst("#+ +", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static String withoutFences(String text) {
        return text.replaceAll("(?ms)^```.*?^```", "");
    }

    /** The word after {@code ./weir} on each command line of a console block. */
    private static List<String> commands(String text) {
        List<String> commands = new ArrayList<>();
        boolean console = false;
        for (String line : text.lines().toList()) {
            if (line.startsWith("```")) {
                console = line.equals("```console");
            }
            Matcher command = COMMAND.matcher(line);
            if (console
                    && command.matches()
                    && command.group(1) != null
                    && !command.group(1).startsWith("-")) {
                commands.add(command.group(1));
            }
        }
        return commands;
    }

    private static int exitCode(String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.weir.cli.Main"));
        command.addAll(List.of(args));
        try {
            return new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
