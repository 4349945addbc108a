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
            duration: 10s | duration: 0s | x.yaml:2:11: duration: '0s' is not whole seconds, from 1s to 24h
            must: | 'changes: 10s\nmust:' | x.yaml:7:10: changes: '10s' is not before the end, 10s
            goodput: 90% | limit-at: { 10s: 1..2 } | x.yaml:7:26: must.limit-at.10s: '10s' is not before the end, 10s
            goodput: 90% | limit-at: { 300s: 1..2 } | x.yaml:7:27: must.limit-at.300s: '300s' is not before the end, 10s
            goodput: 90% | limit-at: { 500ms: 1..2 } | x.yaml:7:28: must.limit-at.500ms: '500ms' is not whole seconds, at most 24h
            goodput: 90% | limit-at: { 1s: 1..2, 1000ms: 1..2 } | x.yaml:7:39: must.limit-at.1000ms: second 1 stands twice: remove one
            goodput: 90% | limit-growth: 1.5 since 10s | x.yaml:7:23: must.limit-growth: '10s' is not before the end, 10s
            goodput: 90% | goodput-in: { zz: 99% } | x.yaml:7:27: must.goodput-in.zz: 'zz' is not one of phases
            must: { goodput: 90% } | 'phases: { calm: 1s..5s }\nmust: { goodput-in: { cal: 9% } }' | x.yaml:8:28: must.goodput-in.cal: 'cal' is not one of phases; did you mean 'calm'?; known are calm
            goodput: 90% | served: { nope: 99% } | x.yaml:7:25: must.served.nope: 'nope' is neither a kind of clients here nor a criticality of theirs; known are all, critical
            goodput: 90% | served: { criticl: 99% } | x.yaml:7:28: must.served.criticl: 'criticl' is neither a kind of clients here nor a criticality of theirs; did you mean 'critical'?; known are all, critical
            goodput: 90% | served: { sheddable: 99% } | x.yaml:7:30: must.served.sheddable: 'sheddable' is neither a kind
            ', weir' | '' | x.yaml:7:7: must: demands are judged of contender weir, which is none of these: name it in contenders, or leave them out
            title: A title | 'title: [' | x.yaml:3:6: this is not YAML
            """)
    void aMistakeIsSaidAtItsPlace(String what, String instead, String message) {
        BadScenario bad = bad(GOOD.replace(what, instead));

        assertThat(bad.problems().get(0).toString()).startsWith(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            none-fails: yes | x.yaml:7:21: must.none-fails: none-fails compares with contender none, which is none of these: name it in contenders, or leave none-fails out
            goodput-of-none: 9% | x.yaml:7:26: must.goodput-of-none: goodput-of-none compares with contender none, which is none of these: name it in contenders, or leave goodput-of-none out
            """)
    void aDemandThatComparesNeedsWhatItComparesWith(String demand, String message) {
        BadScenario bad = bad(GOOD.replace("none, ", "").replace("goodput: 90%", demand));

        assertThat(bad.problems()).extracting(String::valueOf).containsExactly(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            goodput: 90%, limit-at: { 9s: 1..2 }, limit-growth: 1.5 since 9s | 3
            served: { all: 99%, critical: 99% }, goodput-in: { calm: 99% } | 3
            none-fails: yes, goodput-of-none: 90% | 2
            """)
    void aDemandThatCanBeJudgedIsJudged(String demands, int verdicts) throws BadScenario {
        Scenario scenario = ScenarioReader.parse(
                GOOD.replace("goodput: 90%", demands) + "phases: { calm: 1s..10s }", "x.yaml", "x");

        assertThat(Simulation.play(scenario).verdicts()).hasSize(verdicts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            duration: 10s | duration: 10 | measure: 1s..20s
            clients: | cleints: | 'must: { served: { nope: 9% } }'
            contenders: [none, | contenders: [nobody, | 'must: { none-fails: yes }'
            title: A title | phases: { calm: 1s..20s } | 'must: { goodput-in: { clam: 9% } }'
            """)
    void whatMayBeTheFaultOfAnotherFieldIsNotSaid(String what, String instead, String beside) {
        BadScenario bad = bad(GOOD.replace("must: { goodput: 90% }", beside).replace(what, instead) + "seed: 1");

        assertThat(bad.problems()).filteredOn(problem -> problem.line() >= 7).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gradient | Gradient[initial=20, min=4, max=500]
            aimd | Aimd[initial=20, min=4, max=500]
            target-latency | TargetLatency[targetNanos=100000000, initial=20, min=4, max=500]
            { target-latency: { max: 50 } } | TargetLatency[targetNanos=100000000, initial=20, min=4, max=50]
            12 | Fixed[limit=12]
            """)
    void aLimitIsFoundAsInAPolicy(String concurrency, String limit) throws BadScenario {
        Scenario scenario = ScenarioReader.parse(GOOD + "gate: { concurrency: " + concurrency + " }", "x.yaml", "x");

        assertThat(scenario.gate().concurrency()).hasToString(limit);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gradiant | x.yaml:8:22: gate.concurrency: 'gradiant' is not a whole number from 1 to 100000, or one of: gradient, aimd, target-latency; did you mean 'gradient'?
            0 | x.yaml:8:22: gate.concurrency: '0' is not a whole number from 1 to 100000
            { aimd: { max: 9 }, gradient: { max: 9 } } | x.yaml:8:22: gate.concurrency: a limit is found in one way: keep one of gradient, aimd, target-latency
            """)
    void aLimitThatIsNotFoundAsInAPolicyIsRefused(String concurrency, String message) {
        assertThat(bad(GOOD + "gate: { concurrency: " + concurrency + " }").problems())
                .extracting(String::valueOf)
                .contains(message);
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
