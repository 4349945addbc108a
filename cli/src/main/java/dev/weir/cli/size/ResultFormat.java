package dev.weir.cli.size;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How load generators write down what they measured. */
public enum ResultFormat {
    /** Rows under a header row that names the columns. */
    CSV,
    /** The text that wrk and wrk2 print, of one or several runs. */
    WRK,
    /** The JSON of k6's {@code --summary-export} or {@code handleSummary}, of one or several runs. */
    K6,
    /** The text that h2load prints, of one or several runs. */
    H2LOAD;

    /** The word of the option: {@code csv}, {@code wrk}, {@code k6} or {@code h2load}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The format with this word. */
    public static Optional<ResultFormat> named(String word) {
        return Arrays.stream(values())
                .filter(format -> format.word().equals(word))
                .findFirst();
    }

    /** The words of all formats. */
    public static String words() {
        return Arrays.stream(values()).map(ResultFormat::word).collect(Collectors.joining(", "));
    }

    /** What a text looks like. Whatever is none of the others is taken for CSV, whose reader says what is expected. */
    static ResultFormat of(String text) {
        String start = text.stripLeading();
        if (start.startsWith("{") || start.startsWith("[")) {
            return K6;
        }
        if (H2loadResults.looksLike(text)) {
            return H2LOAD;
        }
        return WrkResults.looksLike(text) ? WRK : CSV;
    }

    /** The points of a text in this format, at least one. */
    List<LoadPoint> read(String text) throws BadResults {
        return switch (this) {
            case CSV -> CsvResults.read(text);
            case WRK -> WrkResults.read(text);
            case K6 -> K6Results.read(text);
            case H2LOAD -> H2loadResults.read(text);
        };
    }
}
