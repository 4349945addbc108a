package dev.weir.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a scenario is said at its place, all of it. */
class ScenarioReaderTest {

    private static final String GOOD = """
            title: A title
            duration: 10s
            fleet: { workers: 2, service: 10ms }
            clients:
              all: { rate: 100/s, deadline: 100ms }
            contenders: [none, fixed-4, weir]
            must: { goodput: 90% }
            """;

    @Test
    void aGoodOneIsRead() throws BadScenario {
        Scenario scenario = ScenarioReader.parse(GOOD, "x.yaml", "x");

        assertThat(scenario.seconds()).isEqualTo(10);
        assertThat(scenario.fleet().server().capacity(0)).isEqualTo(200);
        assertThat(scenario.contenders()).extracting(Contender::name).containsExactly("none", "fixed-4", "weir");
        assertThat(scenario.measured()).isEqualTo(new Span(0, 10));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            duration: 10s | duration: 10 | x.yaml:2:11: duration: '10' is not a duration in us, ms, s, m or h, such as 100ms
            duration: 10s | duraton: 10s | x.yaml:2:1: duraton: 'duraton' is not known here; did you mean 'duration'?; known are title
            workers: 2 | workers: two | x.yaml:3:19: fleet.workers: 'two' is not a whole number from 1 to 100000
            workers: 2, | '' | x.yaml:3:8: fleet: 'workers' is missing
            service: 10ms | service: 90% 5ms + 5% 1s | x.yaml:3:31: fleet.service: '90% 5ms + 5% 1s' is not shares that add up to 100%
            rate: 100/s | rate: { 1s: 100/s } | x.yaml:5:22: clients.all.rate.1s: times begin with 0s and rise
            rate: 100/s | rate: fast | x.yaml:5:16: clients.all.rate: 'fast' is not a rate, such as 1000/s or 1000/s..6000/s
            rate: 100/s | criticality: critcal, rate: 1/s | x.yaml:5:23: clients.all.criticality: 'critcal' is not one of: critical-plus, critical, sheddable-plus, sheddable; did you mean 'critical'?
            rate: 100/s, | '' | x.yaml:5:8: clients.all: clients have either a rate, or users
            fixed-4 | vega | x.yaml:6:20: contenders[2]: 'vega' is not none, fixed-N, aimd, gradient2, vegas or weir; did you mean 'vegas'?
            goodput: 90% | goodput: 0.9 | x.yaml:7:18: must.goodput: '0.9' is not a percentage, such as 90%
            title: A title | 'title: [' | x.yaml:3:6: this is not YAML
            """)
    void aMistakeIsSaidAtItsPlace(String what, String instead, String message) {
        BadScenario bad = bad(GOOD.replace(what, instead));

        assertThat(bad.problems().get(0).toString()).startsWith(message);
    }

    @Test
    void allMistakesAreSaidAtOnce() {
        assertThat(bad(GOOD.replace("10s", "ten").replace("100ms", "soon").replace("90%", "much"))
                        .problems())
                .extracting(problem -> problem.line())
                .containsExactly(2, 5, 7);
    }

    private static BadScenario bad(String text) {
        return catchThrowableOfType(BadScenario.class, () -> ScenarioReader.parse(text, "x.yaml", "x"));
    }
}
