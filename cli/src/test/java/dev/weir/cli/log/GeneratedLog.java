package dev.weir.cli.log;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Combined-format logs of any length, the same for the same seed: Zipf-like clients, about a hundred calls a second, times up to ten seconds out
 * of order. By hand: {@code GeneratedLog FILE LINES}.
 */
final class GeneratedLog {

    private static final long SEED = 42;
    private static final long START_SECOND = 1_772_409_600;
    private static final String[] AGENTS = {
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
        "orchard-sync/3.1"
    };

    private GeneratedLog() {}

    static void write(Path file, int lines) throws IOException {
        Random random = new Random(SEED);
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
            for (int i = 0; i < lines; i++) {
                int client = (int) (5_000 / (1 + 4_999 * random.nextDouble()));
                long second = START_SECOND + i / 100 + random.nextInt(10);
                out.write("10." + client / 256 % 256 + "." + client % 256 + ".7 - - [" + stamp(second)
                        + "] \"GET /v1/items/"
                        + random.nextInt(100_000) + "?page=" + random.nextInt(9) + " HTTP/1.1\" 200 "
                        + random.nextInt(90_000)
                        + " \"-\" \"" + AGENTS[random.nextInt(AGENTS.length)] + "\"\n");
            }
        }
    }

    private static String stamp(long second) {
        long day = second / 86_400 - START_SECOND / 86_400 + 2;
        long rest = second % 86_400;
        return two(day) + "/Mar/2026:" + two(rest / 3_600) + ":" + two(rest / 60 % 60) + ":" + two(rest % 60)
                + " +0000";
    }

    private static String two(long number) {
        return number < 10 ? "0" + number : "" + number;
    }

    /** Writes a log to try the reader on. */
    public static void main(String[] args) throws IOException {
        write(Path.of(args[0]), Integer.parseInt(args[1]));
    }
}
