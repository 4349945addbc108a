package dev.weir.cli;

import dev.weir.policy.Changes;
import dev.weir.policy.Policy;
import dev.weir.policyfile.Loaded;
import dev.weir.policyfile.Problem;
import dev.weir.policyfile.Warning;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir check}: whether policy files can be used, and what a reload would keep. */
@Command(
        name = "check",
        description = "Say what is wrong with policy files, and what a reload would keep.",
        footer = {
            "",
            "Examples:",
            "  weir check policy.yaml",
            "  weir check policy.yaml --against policy-in-force.yaml",
            "",
            "Exit code 0 says clean, 1 warnings only, 2 errors."
        })
final class CheckCommand implements Callable<Integer> {

    private static final int WARNINGS_ONLY = 1;

    @Parameters(arity = "1..*", paramLabel = "POLICY", description = "Policy files, each judged by itself.")
    private List<Path> files = List.of();

    @Option(
            names = "--against",
            paramLabel = "OLD",
            description =
                    "The policy in force: tells what each POLICY would keep of its counts and what it would reset.")
    private @Nullable Path against;

    @Option(names = "--json", description = "Print the findings as JSON.")
    private boolean json;

    private final Streams streams;

    CheckCommand(Streams streams) {
        this.streams = streams;
    }

    record JsonError(
            String file, int line, int column, @Nullable String field, String message) {}

    record JsonWarning(String name, int line, String message, String file, int column) {}

    @Override
    public Integer call() {
        Optional<Policy> inForce = Optional.ofNullable(against).map(Policies::require);
        List<Problem> problems = new ArrayList<>();
        List<Warning> warnings = new ArrayList<>();
        Map<String, Loaded.Understood> understood = new LinkedHashMap<>();
        for (Path file : files) {
            Loaded loaded = Policies.load(file);
            if (loaded instanceof Loaded.Refused refused) {
                problems.addAll(refused.problems());
            } else if (loaded instanceof Loaded.Understood good) {
                warnings.addAll(good.warnings());
                understood.put(file.toString(), good);
            }
        }
        if (json) {
            Json.print(streams.out(), report(problems, warnings, inForce, understood));
        } else {
            print(problems, warnings, inForce, understood);
        }
        return !problems.isEmpty() ? Main.BAD_INPUT : warnings.isEmpty() ? Main.OK : WARNINGS_ONLY;
    }

    private static Map<String, Object> report(
            List<Problem> problems,
            List<Warning> warnings,
            Optional<Policy> inForce,
            Map<String, Loaded.Understood> understood) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put(
                "errors",
                problems.stream()
                        .map(p -> new JsonError(
                                p.file(), p.line(), p.column(), p.field().orElse(null), p.message()))
                        .toList());
        report.put(
                "warnings",
                warnings.stream()
                        .map(w -> new JsonWarning(w.name(), w.line(), w.message(), w.file(), w.column()))
                        .toList());
        inForce.ifPresent(old -> {
            Map<String, Changes> changes = new LinkedHashMap<>();
            understood.forEach((file, good) -> changes.put(file, Changes.between(old, good.policy())));
            report.put("changes", changes);
        });
        return report;
    }

    private void print(
            List<Problem> problems,
            List<Warning> warnings,
            Optional<Policy> inForce,
            Map<String, Loaded.Understood> understood) {
        problems.forEach(problem -> streams.out().println(problem));
        warnings.forEach(warning -> streams.out().println(warning));
        understood.forEach((file, good) -> {
            long own = warnings.stream().filter(w -> w.file().equals(file)).count();
            streams.out()
                    .println(file + ": " + plural(good.policy().limits().size(), "limit")
                            + good.gateway()
                                    .map(gateway ->
                                            ", " + plural(gateway.routes().size(), "route"))
                                    .orElse("")
                            + ", no errors, "
                            + (own == 0 ? "no warnings" : plural(own, "warning")));
            inForce.ifPresent(old -> printChanges(Changes.between(old, good.policy())));
        });
        if (!problems.isEmpty()) {
            streams.out().println(plural(problems.size(), "error") + "; nothing of a file with errors is used");
        }
    }

    private void printChanges(Changes changes) {
        printChange("keeps its counts", changes.kept());
        printChange("starts fresh, since its scope, key, algorithm, window or zone is another", changes.reset());
        printChange("is new", changes.added());
        printChange("is gone", changes.removed());
        printChange("finds its limit anew, since its way of finding it is another", changes.relearning());
    }

    private void printChange(String what, List<String> names) {
        names.forEach(name -> streams.out().println("  " + name + " " + what));
    }

    private static String plural(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
