package dev.weir.redis;

import dev.weir.rate.Algorithm;
import dev.weir.rate.CalendarPeriod;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateLimit;
import dev.weir.rate.Receipt;
import dev.weir.rate.StoreKey;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the store must be told to end a charge. Its text is {@code weir1;id;line;line..}, a line being limit, key, charged units or a dash, two
 * marks, and what may be used. Once a receipt was said as text, the store remembers for a day that it was used.
 */
final class RedisReceipt implements Receipt {

    private static final String VERSION = "weir1";
    private static final Pattern FIELD = Pattern.compile(",");
    private static final Pattern LINE = Pattern.compile(";");

    private final List<Mark> marks;
    private final AtomicBoolean settled = new AtomicBoolean();
    private final AtomicBoolean released;
    private volatile @Nullable String id;

    /**
     * What is remembered of a line.
     *
     * @param charge the line as it was sent
     * @param charged whether it was charged
     * @param first the first of the numbers by which the script finds the charge
     * @param second the other
     * @param before the count before the charge; null in a receipt that was read from text
     */
    record Mark(
            FleetCharge charge,
            boolean charged,
            long first,
            long second,
            @Nullable Reading before) {}

    private RedisReceipt(List<Mark> marks, @Nullable String id) {
        this.marks = marks;
        this.id = id;
        this.released = new AtomicBoolean(id != null);
    }

    static RedisReceipt of(List<Mark> marks) {
        return new RedisReceipt(marks, null);
    }

    List<Mark> marks() {
        return marks;
    }

    /** True for the first who settles here. */
    boolean settle() {
        return settled.compareAndSet(false, true);
    }

    /** True for the first who releases here; never for a receipt that was read from text. */
    boolean release() {
        return released.compareAndSet(false, true);
    }

    /** The name under which others may know the receipt; null when nobody can. */
    @Nullable
    String sharedId() {
        return id;
    }

    @Override
    public int lines() {
        return marks.size();
    }

    @Override
    public String text() {
        String name = id;
        if (name == null) {
            synchronized (this) {
                name = id;
                if (name == null) {
                    name = UUID.randomUUID().toString();
                    id = name;
                }
            }
        }
        StringBuilder text = new StringBuilder(VERSION).append(';').append(name);
        for (Mark mark : marks) {
            FleetCharge charge = mark.charge();
            text.append(';')
                    .append(URLEncoder.encode(charge.limit(), StandardCharsets.UTF_8))
                    .append(',')
                    .append(charge.key())
                    .append(',')
                    .append(mark.charged() ? Long.toString(charge.cost()) : "-")
                    .append(',')
                    .append(mark.first())
                    .append(',')
                    .append(mark.second())
                    .append(',')
                    .append(use(charge.use()));
        }
        return text.toString();
    }

    private static String use(FleetCharge.Use use) {
        if (use instanceof FleetCharge.InFlight inFlight) {
            return "in-flight," + inFlight.calls();
        }
        RateLimit limit = ((FleetCharge.Rate) use).limit();
        String numbers = limit.algorithm().policyName() + "," + limit.count();
        return switch (limit.algorithm()) {
            case QUOTA ->
                numbers + "," + limit.calendarPeriod().orElseThrow().policyName() + ","
                        + URLEncoder.encode(limit.zone().getId(), StandardCharsets.UTF_8);
            case TOKEN_BUCKET -> numbers + "," + limit.periodNanos() + "," + limit.capacity();
            case LEAKY_QUEUE ->
                numbers + "," + limit.periodNanos() + "," + limit.capacity() + "," + limit.maxWaitNanos();
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG -> numbers + "," + limit.periodNanos();
        };
    }

    static RedisReceipt parse(String text) {
        try {
            String[] parts = LINE.split(text, -1);
            if (parts.length < 3 || !parts[0].equals(VERSION)) {
                throw new IllegalArgumentException("it does not start with " + VERSION);
            }
            List<Mark> marks = new ArrayList<>();
            for (int i = 2; i < parts.length; i++) {
                marks.add(mark(FIELD.split(parts[i], -1)));
            }
            return new RedisReceipt(
                    List.copyOf(marks), UUID.fromString(parts[1]).toString());
        } catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is no receipt of this kind of store", e);
        }
    }

    private static Mark mark(String[] fields) {
        boolean charged = !fields[2].equals("-");
        FleetCharge charge = new FleetCharge(
                URLDecoder.decode(fields[0], StandardCharsets.UTF_8),
                StoreKey.parse(fields[1]),
                use(fields),
                charged ? Long.parseLong(fields[2]) : 1,
                true);
        return new Mark(charge, charged, Long.parseLong(fields[3]), Long.parseLong(fields[4]), null);
    }

    private static FleetCharge.Use use(String[] fields) {
        if (fields[5].equals("in-flight")) {
            return new FleetCharge.InFlight(Integer.parseInt(fields[6]));
        }
        Algorithm algorithm = Algorithm.named(fields[5]).orElseThrow(IllegalArgumentException::new);
        long count = Long.parseLong(fields[6]);
        if (algorithm == Algorithm.QUOTA) {
            CalendarPeriod period = CalendarPeriod.named(fields[7]).orElseThrow(IllegalArgumentException::new);
            return new FleetCharge.Rate(
                    RateLimit.quota(count, period, ZoneId.of(URLDecoder.decode(fields[8], StandardCharsets.UTF_8))));
        }
        RateLimit rate = RateLimit.of(count, Duration.ofNanos(Long.parseLong(fields[7])));
        return new FleetCharge.Rate(
                switch (algorithm) {
                    case TOKEN_BUCKET -> rate.burst(Long.parseLong(fields[8]));
                    case LEAKY_QUEUE -> queue(rate.burst(Long.parseLong(fields[8])), Long.parseLong(fields[9]));
                    default -> rate.algorithm(algorithm);
                });
    }

    private static RateLimit queue(RateLimit bucket, long maxWaitNanos) {
        RateLimit queue = bucket.algorithm(Algorithm.LEAKY_QUEUE);
        return maxWaitNanos == Long.MAX_VALUE ? queue : queue.maxWait(Duration.ofNanos(maxWaitNanos));
    }
}
