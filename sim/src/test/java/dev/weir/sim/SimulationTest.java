package dev.weir.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SimulationTest {

    @Test
    void theSameScenarioComesOutTheSame() {
        Scenario scenario = Folder.scenario("L");
        Contender weir = Contenders.named("weir").orElseThrow();

        assertThat(Simulation.play(scenario, weir).allowed())
                .isEqualTo(Simulation.play(scenario, weir).allowed());
    }

    @Test
    void closedClientsCallAgainAfterAnAnswerOnly() throws BadScenario {
        Scenario scenario = ScenarioReader.parse("""
                title: Ten users
                duration: 20s
                fleet: { workers: 20, service: 50ms }
                clients: { all: { users: 10, think: 50ms, deadline: 1s } }
                contenders: [none]
                """, "x.yaml", "x");

        Played run = Simulation.play(scenario).run("none").orElseThrow();

        assertThat(new Span(5, 20).mean(run.good())).isEqualTo(100);
        assertThat(run.inFlight(new Span(5, 20))).isBetween(4.9, 5.1);
    }

    @Test
    void theLeastLoadedInstanceIsSparedBesideASlowOne() throws BadScenario {
        Scenario scenario = ScenarioReader.parse("""
                title: Least loaded
                duration: 20s
                fleet: { instances: 4, balance: least-loaded, slow: 10, workers: 2, service: 10ms }
                clients: { all: { rate: 400/s, deadline: 50ms } }
                contenders: [none]
                measure: 5s..20s
                """, "x.yaml", "x");

        assertThat(Simulation.play(scenario).run("none").orElseThrow().goodput(scenario.measured()))
                .isGreaterThan(0.9);
    }

    @Test
    void twentyInstancesCanBePlayedForTenMinutes() throws BadScenario {
        Scenario scenario = ScenarioReader.parse("""
                title: Twenty instances
                duration: 10m
                fleet: { instances: 20, workers: 4, service: exponential 20ms }
                clients: { all: { rate: 2000/s, deadline: 1s } }
                contenders: [weir]
                """, "x.yaml", "x");

        assertThat(Simulation.play(scenario).run("weir").orElseThrow().goodput(new Span(0, 600)))
                .isGreaterThan(0.99);
    }
}
