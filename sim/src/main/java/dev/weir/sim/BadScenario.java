package dev.weir.sim;

import dev.weir.policyfile.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** A scenario that cannot be played. */
public final class BadScenario extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    BadScenario(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** All that is wrong, in the order of the file. */
    public List<Problem> problems() {
        return problems;
    }
}
