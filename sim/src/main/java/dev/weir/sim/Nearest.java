package dev.weir.sim;

import java.util.Collection;
import java.util.Comparator;

/** The known name that somebody may have meant. */
final class Nearest {

    private Nearest() {}

    /** {@code ; did you mean 'rate'?} or nothing. */
    static String hint(String written, Collection<String> known) {
        return known.stream()
                .filter(name -> errors(written, name) <= Math.max(1, name.length() / 3))
                .min(Comparator.comparingInt(name -> errors(written, name)))
                .map(name -> "; did you mean '" + name + "'?")
                .orElse("");
    }

    /** Letters to insert, delete or replace. */
    private static int errors(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
