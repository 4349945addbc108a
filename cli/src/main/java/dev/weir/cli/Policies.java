package dev.weir.cli;

import dev.weir.policy.Policy;
import dev.weir.policyfile.Loaded;
import dev.weir.policyfile.PolicyFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Collectors;

/** Policy files as commands take them. */
final class Policies {

    private Policies() {}

    static Loaded load(Path file) {
        return PolicyFile.load(file, System.getenv(), Instant.now());
    }

    /** The policy, or every error of the file as bad input. */
    static Policy require(Path file) {
        return understood(file).policy();
    }

    /** All that the file says, or every error of it as bad input. */
    static Loaded.Understood understood(Path file) {
        Loaded loaded = load(file);
        if (loaded instanceof Loaded.Refused refused) {
            throw new BadInput("the policy cannot be used:\n"
                    + refused.problems().stream().map(p -> "  " + p).collect(Collectors.joining("\n")));
        }
        return (Loaded.Understood) loaded;
    }
}
