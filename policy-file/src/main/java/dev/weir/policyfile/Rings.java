package dev.weir.policyfile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds limits that stand instead of each other: of a call that all of them match, none would count. */
final class Rings {

    private Rings() {}

    /** Reports each name in {@code instead-of} that closes a ring. */
    static void check(List<ReadLimit> limits) {
        Map<String, List<String>> others = new HashMap<>();
        limits.forEach(read -> others.put(read.limit().name(), read.limit().insteadOf()));
        for (ReadLimit read : limits) {
            String own = read.limit().name();
            read.fields()
                    .read(
                            "instead-of",
                            value -> value.oneOrMore(one -> one.text(Definitions.OTHER_LIMIT)
                                    .flatMap(name -> notBack(one, name, own, others))));
        }
    }

    private static Optional<String> notBack(Value value, String name, String own, Map<String, List<String>> others) {
        return !name.equals(own) && reaches(name, own, others)
                ? value.wrong("'" + name + "' stands instead of '" + own
                        + "', directly or through others, so that neither would count: leave one out")
                : Optional.of(name);
    }

    private static boolean reaches(String from, String to, Map<String, List<String>> others) {
        Set<String> seen = new HashSet<>();
        List<String> open = new ArrayList<>(List.of(from));
        while (!open.isEmpty()) {
            String name = open.remove(open.size() - 1);
            if (name.equals(to)) {
                return true;
            }
            if (seen.add(name)) {
                open.addAll(others.getOrDefault(name, List.of()));
            }
        }
        return false;
    }
}
