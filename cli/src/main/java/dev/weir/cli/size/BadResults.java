package dev.weir.cli.size;

/** Why a file holds no results, at which line, in words for a person. */
final class BadResults extends Exception {
    private static final long serialVersionUID = 1;

    private final int line;

    BadResults(int line, String message) {
        super(message);
        this.line = line;
    }

    /** The line, from 1. */
    int line() {
        return line;
    }
}
