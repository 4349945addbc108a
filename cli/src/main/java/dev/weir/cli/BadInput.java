package dev.weir.cli;

/** What the user gave cannot be used. The message names the value, what is allowed and the remedy; the command ends with exit code 2. */
final class BadInput extends RuntimeException {
    private static final long serialVersionUID = 1;

    BadInput(String message) {
        super(message);
    }
}
