package dev.weir.policy;

import java.util.Optional;

/** A whole number in a header: digits only, with spaces around them, up to eighteen of them. */
final class WholeNumber {

    private WholeNumber() {}

    static Optional<Long> parse(String text) {
        String digits = text.trim();
        if (digits.isEmpty() || digits.length() > 18) {
            return Optional.empty();
        }
        for (int i = 0; i < digits.length(); i++) {
            if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
                return Optional.empty();
            }
        }
        return Optional.of(Long.parseLong(digits));
    }
}
