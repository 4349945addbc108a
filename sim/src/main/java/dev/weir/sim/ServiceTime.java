package dev.weir.sim;

import java.util.List;

/** How long work takes, as the inverse of its distribution. */
sealed interface ServiceTime {

    /** The time that a share of all work does not exceed. */
    double nanos(double share);

    /** The mean. */
    double meanNanos();

    /** Always the same. */
    record Constant(double meanNanos) implements ServiceTime {
        @Override
        public double nanos(double share) {
            return meanNanos;
        }
    }

    /** Memoryless. */
    record Exponential(double meanNanos) implements ServiceTime {
        @Override
        public double nanos(double share) {
            return -StrictMath.log(1 - share) * meanNanos;
        }
    }

    /** One of several, each with its share; the shares add up to 1, the times rise. */
    record Mix(List<Part> parts) implements ServiceTime {

        record Part(double share, double nanos) {}

        @Override
        public double nanos(double share) {
            double sum = 0;
            for (Part part : parts) {
                sum += part.share;
                if (share < sum) {
                    return part.nanos;
                }
            }
            return parts.get(parts.size() - 1).nanos;
        }

        @Override
        public double meanNanos() {
            return parts.stream().mapToDouble(part -> part.share * part.nanos).sum();
        }
    }
}
