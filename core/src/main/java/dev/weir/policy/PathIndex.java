package dev.weir.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the limits that a path can concern without asking each of them, so that a policy of a hundred routes costs a call no more than
 * one of three. Immutable.
 *
 * <p>A pattern can only match a path that begins with its literal segments. Those are kept by their hash in a table, and a path is looked up
 * once at the end of each of its segments. What is found may be more than what matches, since hashes may be equal and wildcards follow,
 * but never less: it is still to be asked. Limits with a pattern that begins with a wildcard, or without any, are always found.
 */
final class PathIndex {

    private final long[] always;
    private final int longest;
    /** Open addressing: a hash stands at the first free place behind its own. */
    private final int[] hashes;

    private final long[][] found;
    private final int mask;

    PathIndex(List<Limit> limits) {
        record Entry(int hash, int limit) {}
        always = new long[(limits.size() + 63) / 64];
        List<Entry> entries = new ArrayList<>();
        int longestPrefix = -1;
        for (int i = 0; i < limits.size(); i++) {
            List<PathPattern> patterns = limits.get(i).match().path();
            List<String> prefixes = patterns.stream()
                    .map(PathPattern::literalPrefix)
                    .flatMap(Optional::stream)
                    .toList();
            if (patterns.isEmpty() || prefixes.size() < patterns.size()) {
                always[i / 64] |= 1L << i;
                continue;
            }
            for (String prefix : prefixes) {
                entries.add(new Entry(prefix.hashCode(), i));
                longestPrefix = Math.max(longestPrefix, prefix.length());
            }
        }
        longest = longestPrefix;
        int size = Integer.highestOneBit(Math.max(1, entries.size())) * 4;
        mask = size - 1;
        hashes = new int[size];
        found = new long[size][];
        for (Entry entry : entries) {
            int at = entry.hash & mask;
            while (found[at] != null && hashes[at] != entry.hash) {
                at = (at + 1) & mask;
            }
            if (found[at] == null) {
                hashes[at] = entry.hash;
                found[at] = new long[always.length];
            }
            found[at][entry.limit / 64] |= 1L << entry.limit;
        }
    }

    /** The limits that are to be asked about a normalised path, a bit for each, in the order of the policy. */
    long[] candidates(String path) {
        long[] candidates = always.clone();
        int start = path.startsWith("/") ? 1 : 0;
        int last = Math.min(path.length(), start + longest);
        int hash = 0; // as of a String
        for (int at = start; at <= last; at++) {
            char c = at == path.length() ? '/' : path.charAt(at);
            if (c == '/') {
                add(candidates, hash);
            }
            hash = 31 * hash + c;
        }
        return candidates;
    }

    /** The limits that are to be asked about a call whose path nobody knows. */
    long[] pathless() {
        return always;
    }

    private void add(long[] candidates, int hash) {
        for (int at = hash & mask; found[at] != null; at = (at + 1) & mask) {
            if (hashes[at] == hash) {
                for (int word = 0; word < candidates.length; word++) {
                    candidates[word] |= found[at][word];
                }
                return;
            }
        }
    }
}
