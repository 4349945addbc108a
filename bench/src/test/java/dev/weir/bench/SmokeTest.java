package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark runs. How fast is not asked here. */
class SmokeTest {

    @Test
    void everyBenchmarkRuns() throws RunnerException {
        var results = new Runner(new OptionsBuilder()
                        .include("dev\\.weir\\.bench\\..*")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(5))
                        .param("keys", "1000")
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();

        assertThat(results)
                .extracting(result -> result.getParams().getBenchmark())
                .contains(
                        "dev.weir.bench.HotGate.weirGradient",
                        "dev.weir.bench.HotLimiter.weirGranted",
                        "dev.weir.bench.MillionKeys.weir");
    }

    @Test
    void decisionsOfAFleetAreGranted() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        FleetDecisions.measure(Duration.ofMinutes(1), 300, new PrintStream(printed, true, StandardCharsets.UTF_8));

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains(
                        "| Bucket4j | 1 |",
                        "| Redisson | 10,000 |",
                        "| Weir | 1 |",
                        "| Weir | 10,000 |",
                        "| Weir, leases | 1, in advance |");
    }

    @Test
    void whatIsMeasuredAsGrantedIsAndWhatIsMeasuredAsRefusedIsNot() {
        HotLimiter hot = new HotLimiter();
        HotLimiter.Loop loop = new HotLimiter.Loop();
        HotLimiter.Weir weir = new HotLimiter.Weir();
        HotLimiter.Bucket4j bucket4j = new HotLimiter.Bucket4j();
        HotLimiter.Resilience4j resilience4j = new HotLimiter.Resilience4j();
        HotLimiter.Guava guava = new HotLimiter.Guava();
        HotLimiter.Failsafe failsafe = new HotLimiter.Failsafe();
        HotLimiter.Sentinel sentinel = new HotLimiter.Sentinel();
        sentinel.load();
        // The one unit that all but Sentinel's begin with.
        assertThat(loop.refusing.tryAcquire()).isTrue();
        assertThat(weir.refusing.tryAcquire()).isTrue();
        assertThat(bucket4j.refusing.tryConsume(1)).isTrue();
        assertThat(resilience4j.refusing.acquirePermission()).isTrue();
        assertThat(guava.refusing.tryAcquire()).isTrue();
        assertThat(failsafe.refusing.tryAcquirePermit()).isTrue();

        assertThat(hot.loopGranted(loop)).isTrue();
        assertThat(hot.weirGranted(weir)).isTrue();
        assertThat(hot.bucket4jGranted(bucket4j)).isTrue();
        assertThat(hot.resilience4jGranted(resilience4j)).isTrue();
        assertThat(hot.guavaGranted(guava)).isTrue();
        assertThat(hot.failsafeGranted(failsafe)).isTrue();
        assertThat(hot.sentinelGranted(sentinel)).isTrue();

        assertThat(hot.loopRefused(loop)).isFalse();
        assertThat(hot.weirRefused(weir)).isFalse();
        assertThat(hot.bucket4jRefused(bucket4j)).isFalse();
        assertThat(hot.resilience4jRefused(resilience4j)).isFalse();
        assertThat(hot.guavaRefused(guava)).isFalse();
        assertThat(hot.failsafeRefused(failsafe)).isFalse();
        assertThat(hot.sentinelRefused(sentinel)).isFalse();
    }

    @Test
    void everyGateIsEnteredAndLeft() {
        HotGate gates = new HotGate();
        HotGate.Weir weir = new HotGate.Weir();
        for (int i = 0; i < 1000; i++) {
            assertThat(gates.semaphore(new HotGate.Floor())).isTrue();
            assertThat(gates.weirGradient(weir)).isTrue();
            assertThat(gates.weirGradientWithQueue(weir)).isTrue();
        }
        HotGate.Netflix netflix = new HotGate.Netflix();
        assertThat(gates.netflixGradient2(netflix)).isTrue();
        assertThat(weir.gradient.inFlight()).isZero();
        assertThat(weir.gradient.doubleExits()).isZero();
    }

    @Test
    void wholeDecisionsAreWhatTheirNamesSay() {
        WholeDecision decisions = new WholeDecision();
        WholeDecision.Weir weir = new WholeDecision.Weir();
        decisions.refused(weir); // the one unit that the route begins with
        for (int i = 0; i < 1000; i++) {
            assertThat(decisions.threeLimits(weir)).isTrue();
            assertThat(decisions.threeLimitsAndGate(weir)).isTrue();
            assertThat(decisions.refused(weir)).isFalse();
        }
        var whole = (Decision.Admitted) weir.gated.judge(weir.visit);
        assertThat(whole.judged()).hasSize(3);
        assertThat(whole.gate()).isPresent();
        whole.permit().close();
        assertThat(weir.gated.gates()).allMatch(gate -> gate.figures().inFlight() == 0);
    }

    @Test
    void bytesPerKeyPrintsARowForEachFill() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BytesPerKey.measure(10_000, new PrintStream(bytes, true, StandardCharsets.UTF_8));

        assertThat(bytes.toString(StandardCharsets.UTF_8).lines()).hasSize(17).allMatch(line -> line.startsWith("| "));
    }
}
