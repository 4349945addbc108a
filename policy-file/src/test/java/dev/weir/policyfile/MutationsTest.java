package dev.weir.policyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens to the text of a file, reading it ends with a policy or with errors at places that exist. */
class MutationsTest {

    private static final List<String> PIECES = List.of(
            "\n",
            "  ",
            ":",
            ": ",
            "- ",
            "{",
            "}",
            "[",
            "]",
            ",",
            "\"",
            "'",
            "#",
            "&a ",
            "*a",
            "!",
            "!!x ",
            "|",
            ">",
            "%",
            "?",
            "? ",
            "---\n",
            "...\n",
            "\t",
            "\u0000",
            "\u2028",
            "\ud83d\ude00",
            "\ud800",
            "\\",
            "\\U00110000",
            "\"\\x\"",
            "${",
            "${A}",
            "0",
            "-1",
            "99999999999999999999",
            "null",
            "~",
            "limits",
            "rate",
            "match",
            "sha256:",
            "path:{x}",
            "/**",
            "<<",
            "\r",
            "=",
            "@",
            "`");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5, 8, 13})
    void nothingIsEverThrown(long seed) {
        Random random = new Random(seed);
        String reference = Reads.text("reference.yaml");
        for (int round = 0; round < 400; round++) {
            StringBuilder text = new StringBuilder(reference);
            int changes = 1 + random.nextInt(4);
            for (int i = 0; i < changes; i++) {
                change(text, random);
            }
            check(text.toString(), seed, round);
        }
    }

    private static void change(StringBuilder text, Random random) {
        int at = random.nextInt(text.length());
        int length = Math.min(random.nextInt(12), text.length() - at);
        switch (random.nextInt(4)) {
            case 0 -> text.delete(at, at + length);
            case 1 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
            case 2 -> text.replace(at, at + length, PIECES.get(random.nextInt(PIECES.size())));
            default -> {
                int from = random.nextInt(text.length());
                text.insert(at, text.substring(from, Math.min(text.length(), from + random.nextInt(200))));
            }
        }
        if (text.isEmpty()) {
            text.append(' ');
        }
    }

    private static void check(String text, long seed, int round) {
        try {
            if (Reads.loaded(text) instanceof Loaded.Refused refused) {
                long lines = text.split("\r\n|\n|\r", -1).length;
                assertThat(refused.problems()).allSatisfy(problem -> {
                    assertThat(problem.line()).isBetween(1, (int) lines);
                    assertThat(problem.column()).isPositive();
                    assertThat(problem.message()).isNotBlank();
                });
                assertThat(refused.problems()).doesNotHaveDuplicates();
            }
        } catch (RuntimeException | StackOverflowError e) {
            fail("seed " + seed + " round " + round + " of\n" + text, e);
        }
    }
}
