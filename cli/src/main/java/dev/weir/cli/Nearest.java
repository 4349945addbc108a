package dev.weir.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Which known word a mistyped one was meant to be. */
final class Nearest {
    private Nearest() {}

    /** The known word with the fewest typing errors between, the first of equals; empty when more than a third of the word would be wrong. */
    static Optional<String> to(String typed, Collection<String> known) {
        return known.stream()
                .filter(word -> errors(typed, word) <= Math.max(1, Math.max(typed.length(), word.length()) / 3))
                .min(Comparator.comparingInt(word -> errors(typed, word)));
    }

    /** Letters to insert, delete, replace or swap with their neighbour: the optimal string alignment distance. */
    static int errors(String a, String b) {
        int[][] distance = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                distance[i][j] = i == 0 ? j : j == 0 ? i : fewest(distance, a, b, i, j);
            }
        }
        return distance[a.length()][b.length()];
    }

    private static int fewest(int[][] distance, String a, String b, int i, int j) {
        int replaced = distance[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, 1 + Math.min(distance[i - 1][j], distance[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, 1 + distance[i - 2][j - 2]) : least;
    }
}
