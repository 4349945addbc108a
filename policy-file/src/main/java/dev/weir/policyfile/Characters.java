package dev.weir.policyfile;

import java.util.Optional;
import java.util.function.BiConsumer;

/** Characters that have no business in a policy, because nobody sees them, and where they stand. */
final class Characters {

    private Characters() {}

    /** Calls {@code found} for each character of a file that is refused. Lines end with LF, CR LF or CR. */
    static void check(String text, BiConsumer<Place, String> found) {
        int line = 1;
        int column = 1;
        boolean comment = commentLine(text, 0);
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (c == '\n' || (c == '\r' && !(i < text.length() && text.charAt(i) == '\n'))) {
                line++;
                column = 1;
                comment = commentLine(text, i);
                continue;
            }
            if (c == '\t' && !comment) {
                found.accept(new Place(line, column), "a tab stands here: use spaces");
            } else if (c != '\t' && c != '\r') {
                Place place = new Place(line, column);
                refused(c).ifPresent(name -> found.accept(place, name + " stands here: remove it"));
            }
            column++;
        }
    }

    private static boolean commentLine(String text, int start) {
        int i = start;
        while (i < text.length() && (text.charAt(i) == ' ' || text.charAt(i) == '\t')) {
            i++;
        }
        return i < text.length() && text.charAt(i) == '#';
    }

    /** What is wrong with a value that an escape or a variable may have brought a strange character into. */
    static Optional<String> refusedIn(String value) {
        return value.codePoints()
                .mapToObj(c -> c == '\n' || c == '\r' || c == '\t' ? Optional.of(name(c)) : refused(c))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> refused(int c) {
        boolean control = c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff;
        boolean nothing = c == 0xfffe || c == 0xffff || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        return control || nothing ? Optional.of(name(c)) : Optional.empty();
    }

    private static String name(int c) {
        return switch (c) {
            case 0 -> "the character NUL";
            case '\n', '\r' -> "a line break";
            case '\t' -> "a tab";
            default -> String.format("the control character U+%04X", c);
        };
    }

    /** The place behind the last character. */
    static Place end(String text) {
        int line = 1;
        int column = 1;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (c == '\n' || (c == '\r' && !(i < text.length() && text.charAt(i) == '\n'))) {
                line++;
                column = 1;
            } else {
                column++;
            }
        }
        return new Place(line, column);
    }
}
