package dev.weir.cli;

import dev.weir.sim.BadScenario;
import dev.weir.sim.Report;
import dev.weir.sim.Scenario;
import dev.weir.sim.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir simulate SCENARIO}: what a fleet does under load, behind the gate and behind others. */
@Command(
        name = "simulate",
        description = "Play a fleet under load in virtual time, behind Weir's gate, rivals and nothing.",
        footer = {
            "",
            "Example:",
            "  weir simulate sim/scenarios/A.yaml --html A.html",
            "",
            "Scenarios come with the sources, in sim/scenarios; sim/README.md says how to write one.",
            "Exit code 0 says that the gate did what the scenario demands, 1 that it did not."
        })
final class SimulateCommand implements Callable<Integer> {

    private static final int MISSED = 1;

    @Parameters(paramLabel = "SCENARIO", description = "The scenario's file.")
    private Path file = Path.of("");

    @Option(names = "--json", description = "Print the figures and every second as JSON.")
    private boolean json;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with charts, too.")
    private @Nullable Path html;

    private final Streams streams;

    SimulateCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() {
        Report report = Simulation.play(scenario());
        if (json) {
            Json.print(streams.out(), report.data());
        } else {
            streams.out().print(report.text());
        }
        if (html != null) {
            write(html, report.html());
        }
        return report.holds() ? Main.OK : MISSED;
    }

    private Scenario scenario() {
        try {
            return Scenario.load(file);
        } catch (BadScenario e) {
            throw new BadInput("the scenario cannot be played:\n"
                    + String.valueOf(e.getMessage()).indent(2).stripTrailing());
        }
    }

    private static void write(Path to, String page) {
        try {
            Files.writeString(to, page);
        } catch (IOException e) {
            throw new BadInput("--html '" + to + "' cannot be written (" + e.getMessage() + "): name another file.");
        }
    }
}
