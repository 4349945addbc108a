package dev.weir.sim;

import dev.weir.load.GateSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** What a simulation plays, read from a file. Immutable. */
public final class Scenario {

    private final String name;
    private final String title;
    private final long seed;
    private final int seconds;
    private final FleetSettings fleet;
    private final List<ClientSettings> clients;
    private final Optional<DependencySettings> dependency;
    private final GateSettings gate;
    private final List<Contender> contenders;
    private final Span measured;
    private final Map<String, Span> phases;
    private final OptionalInt changesAt;
    private final Must must;

    Scenario(
            String name,
            String title,
            long seed,
            int seconds,
            FleetSettings fleet,
            List<ClientSettings> clients,
            Optional<DependencySettings> dependency,
            GateSettings gate,
            List<Contender> contenders,
            Span measured,
            Map<String, Span> phases,
            OptionalInt changesAt,
            Must must) {
        this.name = name;
        this.title = title;
        this.seed = seed;
        this.seconds = seconds;
        this.fleet = fleet;
        this.clients = List.copyOf(clients);
        this.dependency = dependency;
        this.gate = gate;
        this.contenders = List.copyOf(contenders);
        this.measured = measured;
        this.phases = phases;
        this.changesAt = changesAt;
        this.must = must;
    }

    /**
     * Reads a scenario.
     *
     * @throws BadScenario with all that is wrong, if anything is; nothing of the file is used then
     */
    public static Scenario load(Path file) throws BadScenario {
        return ScenarioReader.load(file);
    }

    /** The same with other random numbers. */
    Scenario seeded(long otherSeed) {
        return new Scenario(
                name,
                title,
                otherSeed,
                seconds,
                fleet,
                clients,
                dependency,
                gate,
                contenders,
                measured,
                phases,
                changesAt,
                must);
    }

    /** The file's name without its ending. */
    public String name() {
        return name;
    }

    /** What happens, in one line. */
    public String title() {
        return title;
    }

    long seed() {
        return seed;
    }

    int seconds() {
        return seconds;
    }

    FleetSettings fleet() {
        return fleet;
    }

    List<ClientSettings> clients() {
        return clients;
    }

    Optional<DependencySettings> dependency() {
        return dependency;
    }

    GateSettings gate() {
        return gate;
    }

    List<Contender> contenders() {
        return contenders;
    }

    /** The stretch that the figures are about. */
    Span measured() {
        return measured;
    }

    /** Further stretches, by name. */
    Map<String, Span> phases() {
        return phases;
    }

    /** One of them, which must be there. */
    Span phase(String phase) {
        return Objects.requireNonNull(phases.get(phase), phase);
    }

    /** The second from which settling is counted. */
    OptionalInt changesAt() {
        return changesAt;
    }

    Must must() {
        return must;
    }
}
