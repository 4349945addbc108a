package dev.weir.policyfile;

/**
 * Something a policy file says that is allowed and probably not meant.
 *
 * @param name which of the known warnings this is, such as {@code cost-above-burst}
 * @param file the file, as it was named
 * @param line from 1
 * @param column from 1, in characters (Unicode code points)
 * @param message what it is about here, and what to do
 */
public record Warning(String name, String file, int line, int column, String message) {

    /** {@code policy.yaml:12:9: cost-above-burst: ...} */
    @Override
    public String toString() {
        return file + ":" + line + ":" + column + ": " + name + ": " + message;
    }
}
