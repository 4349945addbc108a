package dev.weir.policyfile;

import dev.weir.policy.Policy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What became of a policy file: a policy, or errors, never both. */
public sealed interface Loaded {

    /**
     * The file was understood whole.
     *
     * @param policy what it says
     * @param gateway what its section gateway says, if it has one
     * @param warnings what is allowed and probably not meant, in file order
     * @param readAlong the files that it names and that its policy was read from as well: a change of one changes the policy
     * @param named the files that it names and that were not opened, in the order of reading; one for each place that names one
     */
    record Understood(
            Policy policy,
            Optional<GatewaySettings> gateway,
            List<Warning> warnings,
            List<Path> readAlong,
            List<NamedFile> named)
            implements Loaded {
        public Understood {
            warnings = List.copyOf(warnings);
            readAlong = List.copyOf(readAlong);
            named = List.copyOf(named);
        }
    }

    /**
     * The file was refused; nothing of it may be used.
     *
     * @param problems all its errors, at least one: those of the file in its order, then those of its plan file
     */
    record Refused(List<Problem> problems) implements Loaded {
        public Refused {
            problems = List.copyOf(problems);
            if (problems.isEmpty()) {
                throw new IllegalArgumentException("a file is refused for a reason");
            }
        }
    }
}
