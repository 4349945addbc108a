package dev.weir.policyfile;

import dev.weir.policy.Match;
import dev.weir.policy.PathPattern;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiPredicate;

/** Whether one condition holds for every call for which another does. Says no where it cannot tell. */
final class Coverage {

    private static final List<PathPattern> EVERY_PATH = List.of(PathPattern.parse("/**"));

    private Coverage() {}

    /** Whether every call that matches {@code narrow} matches {@code wide}. */
    static boolean covers(Match wide, Match narrow) {
        return each(wide.path(), narrow.path().isEmpty() ? EVERY_PATH : narrow.path(), Coverage::covers)
                && each(wide.method(), narrow.method(), String::equals)
                && each(wide.host(), narrow.host(), Coverage::coversHost)
                && named(wide.header(), narrow.header(), true)
                && named(wide.query(), narrow.query(), false)
                && each(wide.peer(), narrow.peer(), Object::equals)
                && each(wide.route(), narrow.route(), String::equals)
                && named(wide.attribute(), narrow.attribute(), false);
    }

    private static <T> boolean each(Collection<T> wide, Collection<T> narrow, BiPredicate<T, T> covers) {
        if (wide.isEmpty()) {
            return true;
        }
        return !narrow.isEmpty() && narrow.stream().allMatch(n -> wide.stream().anyMatch(w -> covers.test(w, n)));
    }

    private static boolean named(Map<String, List<String>> wide, Map<String, List<String>> narrow, boolean anyCase) {
        return wide.entrySet().stream()
                .allMatch(w -> narrow.entrySet().stream()
                        .filter(n -> anyCase
                                ? n.getKey().equalsIgnoreCase(w.getKey())
                                : n.getKey().equals(w.getKey()))
                        .anyMatch(
                                n -> w.getValue().contains("*") || w.getValue().containsAll(n.getValue())));
    }

    private static boolean coversHost(String wide, String narrow) {
        String w = wide.toLowerCase(Locale.ROOT);
        String n = narrow.toLowerCase(Locale.ROOT);
        return w.equals(n) || (w.startsWith("*.") && n.endsWith(w.substring(1)));
    }

    /** Whether every path that fits {@code narrow} fits {@code wide}. */
    static boolean covers(PathPattern wide, PathPattern narrow) {
        String[] w = segments(wide);
        String[] n = segments(narrow);
        // below[j]: whether w from i + 1 on covers n from j on.
        boolean[] below = new boolean[n.length + 1];
        below[n.length] = true;
        for (int i = w.length - 1; i >= 0; i--) {
            boolean[] row = new boolean[n.length + 1];
            for (int j = n.length; j >= 0; j--) {
                if (w[i].equals("**")) {
                    row[j] = below[j] || (j < n.length && row[j + 1]);
                } else {
                    row[j] = j < n.length && segmentCovers(w[i], n[j]) && below[j + 1];
                }
            }
            below = row;
        }
        return below[0];
    }

    private static boolean segmentCovers(String wide, String narrow) {
        if (narrow.equals("**")) {
            return false;
        }
        boolean any = wide.equals("*") || wide.startsWith("{");
        return any ? !narrow.isEmpty() : wide.equals(narrow);
    }

    private static String[] segments(PathPattern pattern) {
        return pattern.toString().substring(1).split("/", -1);
    }
}
