package dev.weir.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * The processor time that an operation takes on its thread. Where others use the machine too, it does not count the time in which the
 * thread had to stand aside; neither does it count the collector's work for those that allocate.
 */
public final class CpuTime implements InternalProfiler {
    static final String RESULT = "cpu.norm";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long before;

    @Override
    public String getDescription() {
        return "processor time of the benchmark's threads, for each operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = ofAllThreads();
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double perOperation =
                (double) (ofAllThreads() - before) / result.getMetadata().getAllOps();
        return List.of(new ScalarResult(RESULT, perOperation, "ns/op", AggregationPolicy.AVG));
    }

    private static long ofAllThreads() {
        long sum = 0;
        for (long thread : THREADS.getAllThreadIds()) {
            sum += Math.max(0, THREADS.getThreadCpuTime(thread));
        }
        return sum;
    }
}
