package dev.weir.redis;

import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateTable;
import io.lettuce.core.RedisCommandExecutionException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How bills are said to {@code charge.lua}, and what its answers mean. */
final class ChargeScript {

    private static final byte[] HELD = Words.bytes("held");

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

    /**
     * Equal calls, and what is held in flight before them.
     *
     * @param bill what each costs
     * @param calls how many; none asks what would be said
     * @param asked an entry for each line, of meaning where calls are held in flight
     */
    record Said(List<FleetCharge> bill, long calls, List<Holds.Asked> asked) {}

    /** A script that several bills share, in the order in which they are decided. */
    final class Question {
        private final List<Said> bills;
        private final Words keys;
        private final Words limits = new Words(8);
        private final Words lines;
        /** The limits that were said, each at its number less one; null where that is of calls in flight. */
        private final List<@Nullable LineCode> numbered = new ArrayList<>(2);

        private int kinds;

        Question(List<Said> bills) {
            this.bills = bills;
            keys = new Words(2 * bills.size());
            lines = new Words(5 * bills.size());
            bills.forEach(this::say);
        }

        private void say(Said bill) {
            lines.add(bill.calls()).add(bill.bill().size());
            for (int i = 0; i < bill.bill().size(); i++) {
                FleetCharge charge = bill.bill().get(i);
                keys.add(names.count(charge));
                long number = charge.use() instanceof FleetCharge.Rate rate
                        ? number(codes.of(rate.limit()))
                        : number(
                                (FleetCharge.InFlight) charge.use(),
                                bill.asked().get(i));
                lines.add(charge.enforced() ? number : -number).add(charge.cost());
            }
        }

        /** The number of a limit, which is said once for all lines. */
        private long number(LineCode code) {
            int known = numbered.indexOf(code);
            if (known >= 0) {
                return known + 1L;
            }
            code.say(limits, clock.micros());
            return number(code, code.kind());
        }

        private long number(FleetCharge.InFlight limit, Holds.Asked asked) {
            limits.add(HELD)
                    .add(limit.calls())
                    .add(instance)
                    .add(asked.before())
                    .add(asked.sequence());
            return number(null, Script.Kind.HELD);
        }

        private long number(@Nullable LineCode code, Script.Kind kind) {
            numbered.add(code);
            kinds |= kind.bit();
            return numbered.size();
        }

        Script script() {
            return Script.charge(kinds);
        }

        byte[][] keys() {
            return keys.toArray();
        }

        byte[][] args() {
            return new Words(2 + limits.size() + lines.size())
                    .add(clock.word())
                    .add(numbered.size())
                    .addAll(limits)
                    .addAll(lines)
                    .toArray();
        }

        /** What became of each bill. */
        List<Answer> read(Object value) {
            List<?> told = (List<?>) value;
            long now = (Long) told.get(0);
            clock.heard(now);
            List<Answer> answers = new ArrayList<>(bills.size());
            int at = 1;
            for (Said bill : bills) {
                answers.add(answer(bill.bill(), told, now, at));
                at += 1 + 4 * bill.bill().size();
            }
            return answers;
        }
    }

    /** What the script said of a bill. */
    sealed interface Answer {

        /**
         * It was decided.
         *
         * @param passed how many of the calls passed
         * @param lines what was read of each line before the first call
         */
        record Decided(long passed, List<Reading> lines) implements Answer {}

        /** The server's clock lies outside the windows of a calendar that it was sent; nothing was charged. */
        record Misfit() implements Answer {}

        /** The server met an error; nothing was charged. */
        record Failed(Throwable error) implements Answer {}
    }

    private Answer answer(List<FleetCharge> bill, List<?> told, long now, int at) {
        if (!(told.get(at) instanceof Long passed)) {
            return new Answer.Failed(
                    new RedisCommandExecutionException(new String((byte[]) told.get(at), StandardCharsets.UTF_8)));
        }
        if (passed < 0) {
            return new Answer.Misfit();
        }
        List<Reading> lines = new ArrayList<>(bill.size());
        for (int i = 0; i < bill.size(); i++) {
            int from = at + 1 + 4 * i;
            long first = (Long) told.get(from);
            if (bill.get(i).use() instanceof FleetCharge.Rate rate) {
                lines.add(codes.of(rate.limit())
                        .read(now, first, (Long) told.get(from + 1), (Long) told.get(from + 2), (Long)
                                told.get(from + 3)));
            } else {
                lines.add(new Reading.Held(((FleetCharge.InFlight) bill.get(i).use()).calls(), first));
            }
        }
        return new Answer.Decided(passed, lines);
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
