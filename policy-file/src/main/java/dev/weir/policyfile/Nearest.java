package dev.weir.policyfile;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known name that somebody may have meant. Pure functions; what stands in texts may be of any length and kind. */
public final class Nearest {

    private static final int LONGEST = 60;

    private Nearest() {}

    /** The nearest of the known names, the first in order of equals; empty when more than a third of each would be wrong. Case counts for nothing. */
    public static Optional<String> to(String written, Collection<String> known) {
        if (written.length() > LONGEST) {
            return Optional.empty();
        }
        String lower = written.toLowerCase(Locale.ROOT).replace('_', '-');
        return known.stream()
                .filter(name -> name.length() <= LONGEST)
                .min(Comparator.comparingInt((String name) -> distance(lower, name.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(name -> distance(lower, name.toLowerCase(Locale.ROOT)) <= Math.max(1, name.length() / 3));
    }

    /** {@code ; did you mean 'burst'?} or nothing. */
    public static String hint(String written, Collection<String> known) {
        return to(written, known).map(name -> "; did you mean '" + name + "'?").orElse("");
    }

    /** Insertions, deletions, replacements and swaps of neighbours that turn one into the other. */
    static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] lastRow = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            lastRow[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = lastRow[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(Math.min(row[j - 1], lastRow[j]) + 1, replaced);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            beforeLast = lastRow;
            lastRow = row;
        }
        return lastRow[b.length()];
    }
}
