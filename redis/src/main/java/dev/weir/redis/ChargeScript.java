package dev.weir.redis;

import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How bills are said to {@code charge.lua}, and what its answers mean. */
final class ChargeScript {

    private final Names names;
    private final Codes codes;
    private final StoreClock clock;
    private final byte[] instance;

    ChargeScript(Names names, Codes codes, StoreClock clock, String instance) {
        this.names = names;
        this.codes = codes;
        this.clock = clock;
        this.instance = Words.bytes(instance);
    }

    byte[][] keys(List<FleetCharge> bill) {
        Words keys = new Words(bill.size());
        bill.forEach(charge -> keys.add(names.count(charge)));
        return keys.toArray();
    }

    /** The arguments for so many equal calls; {@code asked} has an entry for each line, of meaning where calls are held in flight. */
    byte[][] args(List<FleetCharge> bill, long calls, List<Holds.Asked> asked) {
        Words args = new Words(2 + 8 * bill.size()).add(clock.word()).add(calls);
        for (int i = 0; i < bill.size(); i++) {
            FleetCharge charge = bill.get(i);
            args.add(charge.enforced() ? 1 : 0).add(charge.cost());
            if (charge.use() instanceof FleetCharge.Rate rate) {
                codes.of(rate.limit()).say(args, clock.micros());
            } else {
                args.add("held")
                        .add(((FleetCharge.InFlight) charge.use()).calls())
                        .add(instance)
                        .add(asked.get(i).before())
                        .add(asked.get(i).sequence());
            }
        }
        return args.toArray();
    }

    /**
     * An answer of the script.
     *
     * @param passed how many of the calls passed
     * @param lines what was read of each line before the first call
     */
    record Answer(long passed, List<Reading> lines) {}

    /** Reads an answer; empty when the server's clock lies outside the windows of a calendar that it was sent. */
    Optional<Answer> read(List<FleetCharge> bill, Object value) {
        List<?> numbers = (List<?>) value;
        long now = (Long) numbers.get(0);
        clock.heard(now);
        if (numbers.size() == 1) {
            return Optional.empty();
        }
        List<Reading> lines = new ArrayList<>(bill.size());
        for (int i = 0; i < bill.size(); i++) {
            long first = (Long) numbers.get(4 * i + 2);
            if (bill.get(i).use() instanceof FleetCharge.Rate rate) {
                lines.add(codes.of(rate.limit())
                        .read(now, first, (Long) numbers.get(4 * i + 3), (Long) numbers.get(4 * i + 4), (Long)
                                numbers.get(4 * i + 5)));
            } else {
                lines.add(new Reading.Held(((FleetCharge.InFlight) bill.get(i).use()).calls(), first));
            }
        }
        return Optional.of(new Answer((Long) numbers.get(1), lines));
    }

    /** What a call that passed is told; the readings are moved on past it. */
    static Charged.Granted granted(List<FleetCharge> bill, List<Reading> readings) {
        List<Charged.Line> lines = new ArrayList<>(bill.size());
        List<RedisReceipt.Mark> marks = new ArrayList<>(bill.size());
        for (int i = 0; i < bill.size(); i++) {
            FleetCharge charge = bill.get(i);
            Reading before = readings.get(i);
            long wait = before.waitMicros(charge.cost());
            boolean charged = wait == RateTable.NOW;
            Reading after = charged && charge.cost() > 0 ? before.charged(charge.cost()) : before;
            long turn = charged && charge.cost() > 0 ? before.turnMicros() * 1_000 : 0;
            lines.add(new Charged.Line(nanos(wait), after.standing(), charged, turn));
            marks.add(new RedisReceipt.Mark(charge, charged, before.mark(), before.secondMark(), before));
            readings.set(i, after);
        }
        return new Charged.Granted(List.copyOf(lines), RedisReceipt.of(List.copyOf(marks)));
    }

    /** How long the count of a charge matters, in whole seconds. */
    long lifeSeconds(FleetCharge charge) {
        long micros = charge.use() instanceof FleetCharge.Rate rate
                ? codes.of(rate.limit()).lifeMicros()
                : 10_000_000;
        return micros / 1_000_000 + 1;
    }

    /** What each line says, when nothing is charged. */
    static List<Charged.Line> told(List<FleetCharge> bill, List<Reading> readings) {
        List<Charged.Line> lines = new ArrayList<>(bill.size());
        for (int i = 0; i < bill.size(); i++) {
            long wait = readings.get(i).waitMicros(bill.get(i).cost());
            lines.add(new Charged.Line(nanos(wait), readings.get(i).standing(), false, 0));
        }
        return List.copyOf(lines);
    }

    private static long nanos(long micros) {
        return micros == RateTable.NEVER ? RateTable.NEVER : micros * 1_000;
    }
}
