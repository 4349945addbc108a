package dev.weir.policyfile;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A file that a policy file names without reading it, and where it does so.
 *
 * @param path of the file that is named
 * @param file the policy file
 * @param line from 1
 * @param column from 1
 * @param field that names it
 */
public record NamedFile(Path path, String file, int line, int column, String field) {

    /** An error of the file that is named, at the place where it is named. */
    public Problem problem(String message) {
        return new Problem(file, line, column, Optional.of(field), message);
    }
}
