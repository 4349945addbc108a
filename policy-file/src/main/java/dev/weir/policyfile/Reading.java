package dev.weir.policyfile;

import dev.weir.policy.Policy;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One reading of one file: what it is given and what it has found. Used by one thread. */
final class Reading {

    private static final Comparator<Problem> IN_FILE_ORDER =
            Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column);

    private final String file;
    private final Path baseDirectory;
    private final Map<String, String> environment;
    private final Instant now;
    private final Set<Problem> problems = new LinkedHashSet<>();
    private final Set<Problem> problemsOfPlans = new LinkedHashSet<>();
    private final List<Warning> warnings = new ArrayList<>();
    private final List<Path> readAlong = new ArrayList<>();
    private final List<NamedFile> named = new ArrayList<>();

    Reading(String file, Path baseDirectory, Map<String, String> environment, Instant now) {
        this.file = file;
        this.baseDirectory = baseDirectory;
        this.environment = environment;
        this.now = now;
    }

    String file() {
        return file;
    }

    Path baseDirectory() {
        return baseDirectory;
    }

    Instant now() {
        return now;
    }

    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name));
    }

    /** The file that a value names, relative to the policy. */
    Optional<Path> file(Value value) {
        Optional<Path> path = value.parsed(Definitions.FILE, text -> {
            try {
                return baseDirectory.resolve(text);
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("'" + Value.shown(text) + "' is not a path: " + e.getReason(), e);
            }
        });
        path.ifPresent(named -> names(named, value));
        return path;
    }

    private void names(Path path, Value value) {
        Place place = value.place();
        named.add(new NamedFile(path, file, place.line(), place.column(), value.path()));
    }

    /** An error about a field. */
    void problem(Place place, String field, String message) {
        Optional<String> path = field.isEmpty() ? Optional.empty() : Optional.of(field);
        problems.add(new Problem(file, place.line(), place.column(), path, message));
    }

    /** An error about the text itself. */
    void unreadable(Place place, String message) {
        problems.add(new Problem(file, place.line(), place.column(), Optional.empty(), message));
    }

    /** An error in the plan file. */
    void problemInPlans(Path planFile, Place place, String message) {
        problemsOfPlans.add(new Problem(planFile.toString(), place.line(), place.column(), Optional.empty(), message));
    }

    void warning(WarningName name, Place place, String message) {
        warnings.add(new Warning(name.word(), file, place.line(), place.column(), message));
    }

    /** Another file is read for this one. */
    void readsAlong(Path other) {
        readAlong.add(other);
    }

    boolean hasProblems() {
        return !problems.isEmpty() || !problemsOfPlans.isEmpty();
    }

    /** The answer after an error. */
    Loaded refused() {
        List<Problem> all = new ArrayList<>(problems);
        all.sort(IN_FILE_ORDER);
        all.addAll(problemsOfPlans);
        return new Loaded.Refused(all);
    }

    /** The answer when there was no error. */
    Loaded understood(Policy policy, Optional<GatewaySettings> gateway) {
        warnings.sort(Comparator.comparingInt(Warning::line).thenComparingInt(Warning::column));
        return new Loaded.Understood(policy, gateway, warnings, readAlong, named);
    }
}
