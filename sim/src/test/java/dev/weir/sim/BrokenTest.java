package dev.weir.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.GateSettings;
import dev.weir.sim.BrokenGradient.Defect;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every scenario notices a mistake: with it, what must hold does not. */
class BrokenTest {

    @ParameterizedTest
    @CsvSource({
        "A, STEP_PER_ANSWER",
        "B, BASELINE_FOLLOWS",
        "C, BASELINE_STANDS",
        "D, STEP_PER_ANSWER",
        "E, STEP_PER_ANSWER",
        "F, GROWS_WHILE_IDLE",
        "G, PROBES",
        "H, PROBES",
        "I, BASELINE_FOLLOWS",
        "J, BASELINE_FOLLOWS",
        "K, STEP_PER_ANSWER",
        "L, BASELINE_FOLLOWS",
        "M, BASELINE_STANDS",
        "J-eight-workers, BASELINE_FOLLOWS",
        "checkout, BASELINE_STANDS",
        "criticality, BASELINE_FOLLOWS",
        "criticality-eight-workers, BASELINE_FOLLOWS",
        "criticality-two-kinds, BASELINE_FOLLOWS",
        "littles-law, BASELINE_STANDS",
        "slow-instance, STEP_PER_ANSWER",
        "tenants, BASELINE_FOLLOWS",
        "tenants-hundred-workers, BASELINE_FOLLOWS",
    })
    void theScenarioNoticesABrokenAlgorithm(String scenario, Defect defect) {
        assertThat(missed(scenario, BrokenGradient.with(defect))).isNotEmpty();
    }

    @Test
    void aDoorThatTakesLeaversForServedDoesNotSurviveRetriesWithoutBudget() {
        Scenario retries = Folder.scenario("deep/retries-unbudgeted");

        assertThat(missed(retries, RevolvingDoor.contender(), Optional.empty()))
                .contains("goodput at least 85.0 %", "settled within 10 s");
    }

    @Test
    void withoutSheddingCriticalCallsAreNotServed() {
        assertThat(missed("criticality", plain())).anyMatch(demand -> demand.contains("critical-plus"));
    }

    @Test
    void withoutSharesTheQuietTenantIsNotServed() {
        assertThat(missed("tenants", plain())).anyMatch(demand -> demand.contains("quiet"));
    }

    /** The product's gate with nothing but its limit. */
    private static Contender plain() {
        return Contenders.gate("plain", scenario -> GateSettings.of("plain", ConcurrencyLimit.gradient()));
    }

    private static List<String> missed(String name, Contender broken) {
        return missed(Folder.scenario(name), broken, Folder.report(name).run("none"));
    }

    private static List<String> missed(Scenario scenario, Contender broken, Optional<Played> none) {
        return Verdict.of(scenario, Simulation.play(scenario, broken), none).stream()
                .filter(verdict -> !verdict.holds())
                .map(Verdict::demand)
                .toList();
    }
}
