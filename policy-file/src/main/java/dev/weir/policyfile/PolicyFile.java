package dev.weir.policyfile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads policy files. A file is understood whole or refused with all its errors; nothing in it is ignored.
 *
 * <p>{@code ${NAME}} in a value stands for an environment variable; one that is not set is an error at its place. Names of fields,
 * limits, plans and keys stand as they are. Thread safe, without state, and never throws because of what a file holds.
 */
public final class PolicyFile {

    /** The largest policy file, in bytes of UTF-8. */
    static final int MAX_BYTES = 1 << 20;

    private PolicyFile() {}

    /**
     * Reads a file. Files that it names are looked up beside it.
     *
     * @param environment what {@code ${NAME}} stands for
     * @param now what {@code until} is compared with, to warn of overrides that have expired
     */
    public static Loaded load(Path file, Map<String, String> environment, Instant now) {
        String name = file.toString();
        String text;
        try {
            text = TextFile.read(file, MAX_BYTES);
        } catch (TextFile.Unreadable unreadable) {
            return new Loaded.Refused(List.of(new Problem(
                    name,
                    unreadable.place().line(),
                    unreadable.place().column(),
                    Optional.empty(),
                    unreadable.reason())));
        } catch (IOException e) {
            return new Loaded.Refused(List.of(
                    new Problem(name, 1, 1, Optional.empty(), "the file cannot be read: " + TextFile.reason(e))));
        }
        Path directory = file.toAbsolutePath().getParent();
        return parse(text, name, directory == null ? file.toAbsolutePath() : directory, environment, now);
    }

    /**
     * Reads the text of a file.
     *
     * @param fileName stands in errors and warnings
     * @param baseDirectory where files that the policy names are looked up
     * @param environment what {@code ${NAME}} stands for
     * @param now what {@code until} is compared with, to warn of overrides that have expired
     */
    public static Loaded parse(
            String text, String fileName, Path baseDirectory, Map<String, String> environment, Instant now) {
        Reading reading = new Reading(fileName, baseDirectory, environment, now);
        Optional<Yaml> root = YamlTree.read(text, reading);
        return root.map(yaml -> new PolicyReader(reading).read(new Value(yaml, "", reading)))
                .orElseGet(reading::refused);
    }
}
