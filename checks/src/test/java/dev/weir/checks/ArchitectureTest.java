package dev.weir.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every rule holds for the product, and finds exactly the fixtures that break it. */
class ArchitectureTest {
    private static final String ROOT = "dev.weir";
    private static final String FIXTURE = "dev.weir.checks.fixture.";
    private static final JavaClasses CORE = Modules.classesOf(List.of("core"));
    private static final JavaClasses ALL = Modules.classesOf(Modules.ALL);

    @Test
    void coreIsThere() {
        assertThat(CORE.contain("dev.weir.Ticker")).isTrue();
        assertThat(CORE.contain("dev.weir.cli.Main")).isFalse();
        assertThat(ALL.contain("dev.weir.cli.Main")).isTrue();
    }

    @Test
    void corePackagesUseEachOtherOneWayAndTheJdk() {
        Rules.oneWay(ROOT).check(CORE);

        assertThat(brokenBy("layers", Rules.oneWay(FIXTURE + "layers")))
                .containsExactly(
                        "UsesHttp",
                        "client.UsesPolicy",
                        "elsewhere.HasNoPlace",
                        "http.UsesLoad",
                        "load.UsesRate",
                        "policy.UsesHttp",
                        "policy.UsesTicker",
                        "rate.UsesLibrary",
                        "rate.UsesLoad",
                        "rate.UsesPolicy",
                        "rate.UsesRoot");
    }

    @Test
    void nobodyUsesTheCommandLine() {
        Rules.nobodyUsesTheCommandLine(ROOT).check(ALL);

        assertThat(brokenBy("edges", Rules.nobodyUsesTheCommandLine(FIXTURE + "edges")))
                .containsExactly("file.UsesCommand");
    }

    @Test
    void theSimulationHasNoLimitOfItsOwn() {
        Rules.simulatesAndDecidesNothing(ROOT).check(ALL);
        Rules.simulationUsesTheGate(ROOT).check(ALL);
        assertThat(ALL.contain("dev.weir.sim.GateDoor")).isTrue();

        assertThat(brokenBy("simulation", Rules.simulatesAndDecidesNothing(FIXTURE + "simulation")))
                .containsExactly("sim.OwnGradient", "sim.OwnLimit");
        assertThat(brokenBy("simulation", Rules.simulationUsesTheGate(FIXTURE + "simulation")))
                .containsExactly("sim.GateDoor");
    }

    @Test
    void theSimulationReadsNoTime() {
        Rules.onlyTickersReadTheTime().check(Modules.classesOf(List.of("sim")));
    }

    @Test
    void onlyTickersReadTheTimeInCore() {
        Rules.onlyTickersReadTheTime().check(CORE);

        assertThat(brokenBy("time", Rules.onlyTickersReadTheTime()))
                .containsExactly("AsksInstant", "AsksSystemsTime", "ReadsMillis", "ReadsNanos", "RefersToNanos");
    }

    @Test
    void namesSaySomething() {
        Rules.namesSaySomething().check(ALL);

        assertThat(brokenBy("names", Rules.namesSaySomething()))
                .containsExactly(
                        "AbstractGate",
                        "BaseGate",
                        "GateImpl",
                        "KeyHelper",
                        "LimitManager",
                        "StringUtil",
                        "StringUtils");
    }

    @Test
    void coreNeitherPrintsNorLogs() {
        Rules.neitherPrintsNorLogs().check(CORE);

        assertThat(brokenBy("output", Rules.neitherPrintsNorLogs()))
                .containsExactly("Logs", "LogsOldStyle", "PrintsOut", "PrintsStackTrace", "RefersToErr");
    }

    @Test
    void coreStartsNoThreads() {
        Rules.startsNoThreads().check(CORE);

        assertThat(brokenBy("threads", Rules.startsNoThreads()))
                .containsExactly("IsThread", "MakesPool", "MakesThread", "RunsAsync", "StreamsInParallel");
    }

    /** The names, below the fixture's package and in order, of the classes that break the rule when judged alone. */
    private static List<String> brokenBy(String fixture, ArchRule rule) {
        JavaClasses classes = new ClassFileImporter().importPackages(FIXTURE + fixture);
        return classes.stream()
                .filter(type -> rule.evaluate(only(type, classes)).hasViolation())
                .map(type -> type.getName().substring((FIXTURE + fixture + ".").length()))
                .sorted()
                .toList();
    }

    private static JavaClasses only(JavaClass type, JavaClasses classes) {
        return classes.that(DescribedPredicate.describe("is " + type.getName(), type::equals));
    }
}
