package dev.weir.policyfile;

import dev.weir.policy.Key;
import dev.weir.policy.Match;
import dev.weir.policy.PathPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A key and where each of its parts stands. */
record ReadKey(Key key, List<Part> parts) {

    /** A part and the value it was read from. */
    record Part(Key key, Value value) {}

    /** Reads one part or a list of them. */
    static Optional<ReadKey> read(Value value) {
        List<Part> parts = new ArrayList<>();
        Optional<List<Key>> keys = value.oneOrMore(one -> {
            Optional<Key> key = one.parsed(Definitions.KEY_PART, Key::parse);
            key.ifPresent(known -> parts.add(new Part(known, one)));
            return key;
        });
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        if (keys.get().size() == 1) {
            return Optional.of(new ReadKey(keys.get().get(0), List.copyOf(parts)));
        }
        for (Part part : parts) {
            if (part.key() instanceof Key.All) {
                return part.value().wrong("'all' is everybody together: it stands alone; leave it out of the list");
            }
        }
        return Optional.of(new ReadKey(new Key.Composite(keys.get()), List.copyOf(parts)));
    }

    /** Reports path variables that not every pattern of the condition declares. */
    void requireVariables(Match match) {
        for (Part part : parts) {
            if (part.key() instanceof Key.PathVariable variable) {
                Optional<PathPattern> without = match.path().stream()
                        .filter(pattern -> !pattern.variables().contains(variable.name()))
                        .findFirst();
                if (match.path().isEmpty()) {
                    part.value()
                            .wrong("'" + variable + "' needs a path that declares it: say match: { path: \"/.../{"
                                    + variable.name() + "}\" }");
                } else if (without.isPresent()) {
                    part.value()
                            .wrong("path '" + without.get() + "' of match does not declare {" + variable.name()
                                    + "}: every pattern must"
                                    + Nearest.hint(
                                            variable.name(), without.get().variables()));
                }
            }
        }
    }
}
