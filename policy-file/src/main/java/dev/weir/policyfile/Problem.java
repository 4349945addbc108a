package dev.weir.policyfile;

import java.util.Optional;

/**
 * An error in a policy file, at the value that is wrong or at the name of a field that is unknown, doubled or lacks its partner.
 *
 * @param file the file, as it was named
 * @param line from 1
 * @param column from 1, in characters (Unicode code points)
 * @param field the path of the field, such as {@code limits.per-key.rate}, elements of lists counted from 1; empty when the text as
 *     a whole could not be read
 * @param message what is wrong, what is allowed, and the remedy where there is one
 */
public record Problem(String file, int line, int column, Optional<String> field, String message) {

    /** {@code policy.yaml:12:9: limits.per-key.rate: ...} */
    @Override
    public String toString() {
        return file + ":" + line + ":" + column + ": "
                + field.map(path -> path + ": ").orElse("") + message;
    }
}
