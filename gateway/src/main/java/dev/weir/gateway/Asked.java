package dev.weir.gateway;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What somebody asks of the admin port.
 *
 * @param variables what the variables of the path stand for, decoded
 * @param parameters of the query; each is there once
 */
record Asked(Map<String, String> variables, Map<String, String> parameters) {

    /** The asked for makes no sense; the message says why. */
    static final class Bad extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Bad(String message) {
            super(message, null, false, false);
        }
    }

    /** What a variable of the path stands for. */
    String variable(String name) {
        return variables.getOrDefault(name, "");
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /** A parameter that is a whole number. */
    int number(String name, int otherwise, int least, int most) {
        String text = parameters.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new Bad(name + ": '" + text + "' is not a whole number from " + least + " to " + most);
    }

    /** A parameter that is one of some words. */
    Optional<String> word(String name, List<String> words) {
        Optional<String> said = parameter(name);
        if (said.isPresent() && !words.contains(said.get())) {
            throw new Bad(name + ": '" + said.get() + "' is none of " + String.join(", ", words));
        }
        return said;
    }
}
