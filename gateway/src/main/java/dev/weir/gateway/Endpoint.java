package dev.weir.gateway;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * One thing that the admin port answers.
 *
 * @param method GET, which HEAD means as well, POST, PUT or DELETE
 * @param path with variables in braces, each a whole segment
 * @param access who may ask
 * @param parameters the names of the query parameters that it knows
 */
record Endpoint(
        String method, String path, Access access, Set<String> parameters, Function<? super Asked, Answer> answer) {

    /** What it takes to ask. */
    enum Access {
        /** Nothing: for load balancers. */
        OPEN,
        /** The read token, when one is set. */
        READ,
        /** The write token. */
        WRITE
    }

    boolean serves(String asked) {
        return method.equals(asked) || (method.equals("GET") && asked.equals("HEAD"));
    }

    /** What the variables stand for when the path, as decoded segments, is this one's. */
    Optional<Map<String, String>> variables(List<String> segments) {
        String[] template = path.substring(1).split("/", -1);
        if (template.length != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < template.length; i++) {
            if (template[i].startsWith("{")) {
                variables.put(template[i].substring(1, template[i].length() - 1), segments.get(i));
            } else if (!template[i].equals(segments.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(variables);
    }
}
