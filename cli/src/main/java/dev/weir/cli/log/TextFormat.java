package dev.weir.cli.log;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A format of values with text between them, as Apache and nginx write it.
 *
 * <p>How a value's end is found: a time knows its own; a value in quotes ends at the next quote without a backslash before it; any other ends
 * where the text behind it begins, so it cannot hold that text's first character. Only a list may hold spaces, behind its commas. All of it is
 * one pass over the bytes.
 */
final class TextFormat implements LineParser {

    /** Text that must stand there, or a value. */
    sealed interface Piece {}

    /** Text between values. */
    record Text(String text) implements Piece {}

    /**
     * A value that ends where what follows begins.
     *
     * @param words what it is, for reasons
     * @param list whether a space behind a comma belongs to it
     * @param opens the character that begins this value when it directly follows another; empty when there is none
     */
    record Value(Column column, String words, boolean list, String opens) implements Piece {}

    /**
     * A time.
     *
     * @param counts whether it is the call's time, not another one
     */
    record Time(TimePattern pattern, boolean counts) implements Piece {}

    /** A piece with what its neighbours say about it. */
    private static final class Step {
        final Piece piece;
        final byte[] text;
        final boolean quoted;
        /** Whether nothing may stand here: within quotes, or for a part that a line has only now and then. */
        final boolean mayBeEmpty;
        /** The bytes that end a value; -1 where there is none such. */
        final int end;

        final int otherEnd;
        final String words;

        Step(List<Piece> pieces, int index) {
            piece = pieces.get(index);
            text = piece instanceof Text t ? t.text().getBytes(StandardCharsets.UTF_8) : new byte[0];
            @Nullable Piece before = index == 0 ? null : pieces.get(index - 1);
            @Nullable Piece after = index + 1 == pieces.size() ? null : pieces.get(index + 1);
            quoted = before instanceof Text b
                    && b.text().endsWith("\"")
                    && after instanceof Text a
                    && a.text().startsWith("\"");
            boolean opened = after instanceof Value next && !next.opens().isEmpty();
            otherEnd = opened && after instanceof Value next ? next.opens().charAt(0) : -1;
            end = pieces.subList(index + 1, pieces.size()).stream()
                    .filter(Text.class::isInstance)
                    .map(next -> (int) ((Text) next).text().getBytes(StandardCharsets.UTF_8)[0])
                    .findFirst()
                    .orElse(-1);
            mayBeEmpty =
                    quoted || (piece instanceof Value value && !value.opens().isEmpty() && before instanceof Value);
            words = piece instanceof Value value ? value.words() : piece instanceof Time ? "the time" : "";
        }
    }

    private final Step[] steps;
    private final List<NamedColumn> named;
    private final int mayEndBefore;
    private final boolean mayGoOn;

    /**
     * A format of these pieces.
     *
     * @param mayEndBefore the index of the piece that a line may lack with all behind it; the number of pieces when it may lack none
     * @param mayGoOn whether more fields may follow
     */
    TextFormat(List<Piece> pieces, List<NamedColumn> named, int mayEndBefore, boolean mayGoOn) {
        this.steps = new Step[pieces.size()];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = new Step(pieces, i);
        }
        this.named = List.copyOf(named);
        this.mayEndBefore = mayEndBefore;
        this.mayGoOn = mayGoOn;
    }

    @Override
    public List<NamedColumn> named() {
        return named;
    }

    @Override
    public void parse(byte[] line, int from, int to, CallDraft draft) throws Malformed {
        int at = from;
        for (int i = 0; i < steps.length; i++) {
            Step step = steps[i];
            if (i == mayEndBefore && at == to) {
                return;
            }
            if (step.piece instanceof Text) {
                at = text(i, line, from, at, to);
                continue;
            }
            if (at == to && !step.mayBeEmpty) {
                throw new Malformed("the line ends before " + step.words);
            }
            try {
                if (step.piece instanceof Time time) {
                    at = time.pattern().parse(line, at, to, time.counts() ? draft.time() : new TimeParts());
                } else if (step.piece instanceof Value value) {
                    if (!step.mayBeEmpty && step.end != '"' && line[at] == '"') {
                        throw Malformed.expected(step.words + " without quotes", line, at, to);
                    }
                    int end = step.quoted ? closingQuote(step, line, at, to) : end(value, step, i, line, at, to);
                    draft.take(value.column(), line, at, end, true);
                    at = end;
                }
            } catch (Malformed e) {
                throw e.at(place(from, at));
            }
        }
        if (at < to) {
            rest(line, from, at, to);
        }
    }

    private int text(int index, byte[] line, int from, int at, int to) throws Malformed {
        byte[] text = steps[index].text;
        for (int i = 0; i < text.length; i++) {
            if (at + i < to && line[at + i] == text[i]) {
                continue;
            }
            String before = index + 1 < steps.length
                    ? " before " + steps[index + 1].words
                    : index > 0 ? " behind " + steps[index - 1].words : "";
            if (at + i >= to && index + 1 < steps.length) {
                throw new Malformed("the line ends" + before);
            }
            String missing = Malformed.shown(text, i, text.length) + before;
            if (at + i >= to) {
                throw new Malformed("the line ends too early: " + missing + " was expected");
            }
            throw Malformed.expected(missing, line, at + i, to).at(place(from, at + i));
        }
        return at + text.length;
    }

    private static int closingQuote(Step step, byte[] line, int from, int to) throws Malformed {
        int at = closingQuote(line, from, to);
        if (at == to) {
            throw new Malformed("the quote before " + step.words + " is not closed");
        }
        return at;
    }

    /** The next quote that no backslash stands before, or the end of the line. */
    private static int closingQuote(byte[] line, int from, int to) {
        int at = from;
        while (at < to && line[at] != '"') {
            at += line[at] == '\\' ? 2 : 1;
        }
        return Math.min(at, to);
    }

    private int end(Value value, Step step, int index, byte[] line, int from, int to) {
        if (value.column().field() == Column.Field.QUESTION_MARK) {
            return from < to && line[from] == '?' ? from + 1 : from;
        }
        int end = step.end;
        if (index == steps.length - 1) {
            if (!mayGoOn) {
                return to;
            }
            end = ' ';
        }
        int at = from;
        while (at < to) {
            byte b = line[at];
            if (b == step.otherEnd || (b == end && !(value.list() && b == ' ' && withinList(line, from, at, to)))) {
                return at;
            }
            at++;
        }
        return to;
    }

    /** Whether the space parts two members of a list: {@code a, b} or, as nginx writes tries of several groups, {@code a : b}. */
    private static boolean withinList(byte[] line, int from, int space, int to) {
        boolean behindComma = space > from && line[space - 1] == ',';
        boolean behindColon = space > from + 1 && line[space - 1] == ':' && line[space - 2] == ' ';
        boolean beforeColon = space + 2 < to && line[space + 1] == ':' && line[space + 2] == ' ';
        return behindComma || behindColon || beforeColon;
    }

    /** More fields than the format has: each in quotes, or without any. */
    private void rest(byte[] line, int from, int start, int to) throws Malformed {
        if (!mayGoOn) {
            throw Malformed.expected("the end of the line", line, start, to).at(place(from, start));
        }
        int at = start;
        while (at < to) {
            if (line[at] != ' ') {
                throw Malformed.expected("a space behind a field", line, at, to).at(place(from, at));
            }
            at++;
            if (at < to && line[at] == '"') {
                int end = closingQuote(line, at + 1, to);
                if (end == to) {
                    throw new Malformed("the quote before a further field is not closed").at(place(from, at));
                }
                at = end + 1;
                continue;
            }
            while (at < to && line[at] != ' ') {
                if (line[at] == '"') {
                    throw new Malformed("a quote stands within a field without quotes").at(place(from, at));
                }
                at++;
            }
        }
    }

    private static String place(int from, int at) {
        return "column " + (at - from + 1);
    }
}
