package dev.weir.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Numbers that can be worked out by hand come out of the simulation. */
class WorkedExamplesTest {

    private static final String WEIR = "weir";

    @Test
    void checkoutInNormalTimesNeedsLittle() {
        Figures figures = new Figures("checkout", WEIR, "normal");

        assertThat(figures.inFlightEach()).isCloseTo(3.252, within(0.01));
        assertThat(figures.meanMillis()).isCloseTo(27.1, within(0.1));
        assertThat(figures.sendsPerSecond()).isCloseTo(144, within(0.5));
        assertThat(figures.refused()).isZero();
    }

    @Test
    void checkoutWithASlowProviderHasMoreInFlightAndRefusesNothing() {
        Figures figures = new Figures("checkout", WEIR, "provider slow");

        assertThat(figures.inFlightEach()).isCloseTo(8.76, within(0.03));
        assertThat(figures.meanMillis()).isCloseTo(73.0, within(0.3));
        assertThat(figures.paymentsInFlightEach()).isCloseTo(5.76, within(0.03));
        assertThat(figures.refused()).isZero();
    }

    @Test
    void inTheStormTheOutboundLimitsRefuseAndTheGateDoesNot() {
        Figures figures = new Figures("checkout", WEIR, "storm");

        assertThat(figures.paymentsPerSecond()).isCloseTo(240, within(0.5));
        assertThat(figures.sendsPerSecond()).isBetween(190.0, 200.0);
        assertThat(figures.busiestSecond()).isLessThanOrEqualTo(200);
        assertThat(figures.inFlightEach()).isBetween(12.0, 13.0);
        assertThat(figures.refusedOutbound()).isPositive();
        assertThat(figures.refusedThere()).isZero();
        assertThat(figures.refused()).isZero();
    }

    @Test
    void withoutOutboundLimitsTheStormIsFourTimesTheDemand() {
        Figures figures = new Figures("checkout-unbounded", WEIR, "storm");

        assertThat(figures.sendsPerSecond()).isCloseTo(960, within(5.0));
        assertThat(figures.refusedThere()).isPositive();
    }

    @Test
    void theLimitFollowsWhatIsInFlightNoLowerThanTwiceThat() {
        Played run = Folder.report("checkout").run(WEIR).orElseThrow();

        assertThat(Arrays.stream(run.allowed()).min().orElseThrow()).isBetween(26.0, 64.0);
    }

    @Test
    void aHundredInFlightAtHalfASecondAreTwoHundredASecond() {
        Figures figures = new Figures("littles-law", "fixed-100", "slow");

        assertThat(figures.goodPerSecond()).isCloseTo(200, within(10.0));
        assertThat(figures.inFlightEach()).isCloseTo(100, within(1.0));
        assertThat(figures.refused() / 50.0).isCloseTo(800, within(15.0));
    }

    /** The figures of a contender in a phase. */
    private record Figures(Scenario scenario, Played run, Span span) {
        Figures(String scenario, String contender, String phase) {
            this(
                    Folder.scenario(scenario),
                    Folder.report(scenario).run(contender).orElseThrow(),
                    Folder.scenario(scenario).phase(phase));
        }

        double inFlightEach() {
            return run.inFlight(span) / scenario.fleet().instances();
        }

        double meanMillis() {
            return run.meters().latencies.meanMillis(span.from(), span.to());
        }

        double goodPerSecond() {
            return span.mean(run.good());
        }

        long refused() {
            return span.sum(run.meters().refused);
        }

        double paymentsPerSecond() {
            return span.mean(run.meters().dependency().calls);
        }

        double sendsPerSecond() {
            return span.mean(run.meters().dependency().sends);
        }

        double paymentsInFlightEach() {
            return span.mean(run.meters().dependency().inFlight().bySecond())
                    / scenario.fleet().instances();
        }

        long busiestSecond() {
            return span.most(run.meters().dependency().busiest);
        }

        long refusedOutbound() {
            return span.sum(run.meters().dependency().refusedOutbound);
        }

        long refusedThere() {
            return span.sum(run.meters().dependency().refusedThere);
        }
    }
}
