package dev.weir.cli.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.cli.size.SimulatedLoadTest.Kind;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KneeTest {

    private static final Percentage NEAR = Percentage.withPercentage(15);

    private static List<LoadPoint> points(double... ratesAndLatencies) {
        List<LoadPoint> points = new ArrayList<>();
        for (int i = 0; i < ratesAndLatencies.length; i += 2) {
            points.add(new LoadPoint(ratesAndLatencies[i], ratesAndLatencies[i + 1], 0));
        }
        return points;
    }

    /** With noise of a tenth a test of few points can mislead: one in four may, but not by much. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void theKneeOfAKnownServerIsFoundWhateverTheTest(Kind kind) {
        for (int workers : new int[] {8, 20, 200}) {
            for (double noise : new double[] {0, 0.05, 0.1}) {
                int far = 0;
                for (long seed = 0; seed < 8; seed++) {
                    SimulatedLoadTest test = new SimulatedLoadTest(workers, 25, noise, seed);
                    Knee knee = Knee.of(test.all(kind));
                    double off = Math.max(
                            Math.abs(knee.inFlight() / workers - 1),
                            Math.abs(knee.ratePerSecond() / test.ratePerSecond() - 1));
                    String what = workers + " workers, noise " + noise + ", seed " + seed;
                    assertThat(off).as(what).isLessThan(noise == 0 ? 0.15 : 0.25);
                    far += off > 0.15 ? 1 : 0;
                    if (noise == 0) {
                        assertThat(knee.sure()).as(what).isNotEqualTo(Sure.LOW);
                    }
                }
                assertThat(far).as(workers + " workers, noise " + noise).isLessThanOrEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void withoutNoiseItIsSure(Kind kind) {
        Knee knee = Knee.of(new SimulatedLoadTest(20, 25, 0, 1).all(kind));
        assertThat(knee.sure()).as("%s", knee.why()).isNotEqualTo(Sure.LOW);
        assertThat(knee.why().get(0)).contains("up to the knee and").contains("beyond it");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1})
    void belowTheKneeTheHighestPointIsTakenAndTheTestMustPushHarder(double noise) {
        List<LoadPoint> points = new SimulatedLoadTest(20, 25, noise, 5).runs(Kind.CONNECTIONS, 0, 0.9);
        Knee knee = Knee.of(points);
        assertThat(knee.sure()).isEqualTo(Sure.LOW);
        assertThat(knee.ratePerSecond())
                .isEqualTo(points.stream()
                        .mapToDouble(LoadPoint::ratePerSecond)
                        .max()
                        .orElseThrow());
        assertThat(knee.why())
                .anyMatch(why -> why.contains("no knee was seen"))
                .anyMatch(why -> why.contains("harder"));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1})
    void beyondTheKneeTheFirstPointIsTakenAndTheTestMustPushLess(double noise) {
        Knee knee = Knee.of(new SimulatedLoadTest(20, 25, noise, 5).runs(Kind.CONNECTIONS, 1.3, 9));
        assertThat(knee.sure()).isEqualTo(Sure.LOW);
        assertThat(knee.inFlight()).isCloseTo(26, within(4.0));
        assertThat(knee.why()).anyMatch(why -> why.contains("less load"));
    }

    @ParameterizedTest
    @CsvSource({"1, 600, 40", "2, 600, 40"})
    void aPointOrTwoAreNoCurveButAnAnswer(int count, double rate, double latency) {
        Knee knee = Knee.of(points(600, 40, 300, 39).subList(0, count));
        assertThat(knee).returns(rate, Knee::ratePerSecond).returns(latency, Knee::latencyMs);
        assertThat(knee.sure()).isEqualTo(Sure.LOW);
    }

    @Test
    void aMeasuredPointNearTheBendIsTakenAsItIs() {
        assertThat(Knee.of(points(100, 38, 200, 38, 300, 39, 400, 39, 500, 39, 600, 40, 650, 90, 660, 200)))
                .returns(600.0, Knee::ratePerSecond)
                .returns(40.0, Knee::latencyMs);
        assertThat(Knee.of(points(700, 280, 100, 70, 700, 70, 300, 70, 705, 140, 500, 70)))
                .returns(700.0, Knee::ratePerSecond)
                .returns(70.0, Knee::latencyMs);
    }

    /** Such as a server whose locks cost more the more there are in flight. */
    @Test
    void aCurveThatClimbsFromTheStartTurnsAtTheMeasuredPointHighestAboveItsChord() {
        assertThat(Knee.of(points(100, 20, 200, 21, 300, 23, 400, 27, 500, 32, 600, 40, 620, 95, 630, 210)))
                .returns(600.0, Knee::ratePerSecond)
                .returns(40.0, Knee::latencyMs);
        assertThat(Knee.of(points(100, 20, 200, 22, 300, 25, 400, 29, 500, 34, 600, 40, 620, 80, 630, 3000)))
                .returns(600.0, Knee::ratePerSecond);
    }

    /** The rates that were asked for, or a server that scales while it is tested. */
    @Test
    void whereRatesRiseOnTheKneeIsWhereLatencyBeginsToRise() {
        Knee knee = Knee.of(
                points(100, 40, 200, 40, 300, 40, 400, 40, 500, 41, 600, 42, 700, 80, 800, 160, 900, 320, 1000, 640));
        assertThat(knee.ratePerSecond()).isCloseTo(600, NEAR);
        assertThat(knee.inFlight()).isCloseTo(24, NEAR);
    }

    @Test
    void pointsWithErrorsDoNotCount() {
        List<LoadPoint> points = new ArrayList<>(new SimulatedLoadTest(20, 25, 0, 1).all(Kind.CONNECTIONS));
        Knee clean = Knee.of(points);
        points.add(new LoadPoint(5_000, 5, 0.6));
        points.add(new LoadPoint(790, 900, 0.011));
        assertThat(Knee.of(points)).isEqualTo(clean);
        points.add(new LoadPoint(800, 24, 0.01));
        assertThat(Knee.of(points).why().get(0)).isNotEqualTo(clean.why().get(0));
        assertThatThrownBy(() -> Knee.of(List.of(new LoadPoint(1, 1, 0.02)))).hasMessage("no point counts");
    }

    @Test
    void errorsBeyondALevelCurveAreItsEnd() {
        List<LoadPoint> points = points(200, 40, 400, 40, 600, 40);
        points.add(new LoadPoint(640, 90, 0.2));
        Knee knee = Knee.of(points);
        assertThat(knee).returns(600.0, Knee::ratePerSecond).returns(Sure.MEDIUM, Knee::sure);
        assertThat(knee.why()).anyMatch(why -> why.contains("failed"));
    }

    @Test
    void aManyWorkerQueueIsFastUntilItIsNearlyFull() {
        assertThat(MultiServerQueue.slowdown(1, 0.5)).isCloseTo(2, within(1e-9));
        assertThat(MultiServerQueue.slowdown(2, 0.5)).isCloseTo(4.0 / 3, within(1e-9));
        assertThat(MultiServerQueue.slowdown(10, 0.8)).isCloseTo(1.2046, within(1e-3));
        assertThat(MultiServerQueue.slowdown(100, 0)).isEqualTo(1);
    }
}
