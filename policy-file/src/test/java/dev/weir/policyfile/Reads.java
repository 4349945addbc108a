package dev.weir.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Limit;
import dev.weir.policy.Policy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** How tests read policies. */
final class Reads {

    static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    static final Map<String, String> ENVIRONMENT =
            Map.of("POLICY_SECRET", "from-the-environment", "COUNT", "25", "EMPTY", "", "LINES", "a\nb");
    static final Path DIRECTORY = resource("plans.csv").getParent();

    private Reads() {}

    static Path resource(String name) {
        try {
            return Path.of(Reads.class.getResource(name).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static String text(String resource) {
        try {
            return Files.readString(resource(resource));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Loaded loaded(String yaml) {
        return PolicyFile.parse(yaml, "p.yaml", DIRECTORY, ENVIRONMENT, NOW);
    }

    static Policy policy(String yaml) {
        return understood(yaml).policy();
    }

    static Loaded.Understood understood(String yaml) {
        Loaded loaded = loaded(yaml);
        assertThat(loaded).as(yaml).isInstanceOf(Loaded.Understood.class);
        return (Loaded.Understood) loaded;
    }

    static List<Problem> problems(String yaml) {
        Loaded loaded = loaded(yaml);
        assertThat(loaded).as(yaml).isInstanceOf(Loaded.Refused.class);
        return ((Loaded.Refused) loaded).problems();
    }

    /** The limit in braces, in a policy with plans from an attribute. */
    static Limit limit(String fields) {
        return policy("weir: 1\nplans: { from: attribute:plan }\nlimits: { a: { " + fields + " } }\n")
                .limits()
                .get(0);
    }
}
