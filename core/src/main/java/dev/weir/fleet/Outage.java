package dev.weir.fleet;

import dev.weir.Ticker;
import dev.weir.fleet.FleetAnswer.Line;
import dev.weir.fleet.FleetAnswer.Verdict;
import dev.weir.load.InFlightTable;
import dev.weir.policy.StoreFailure;
import dev.weir.rate.Algorithm;
import dev.weir.rate.Arrears;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateStore;
import dev.weir.rate.RateTable;
import dev.weir.rate.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides for one instance while the store does not answer, and remembers what the store must hear of afterwards. Limits that are open
 * refuse nothing, those that are local grant this instance's share, those that are closed refuse everything; a cost that could never pass
 * is refused by all.
 *
 * <p>How it is designed, and why: an outage begins with whole shares, divided by the number of instances that was heard last, and ends
 * once: {@link #drainOrEnd} answers what is owed as long as anything is, and then ends it under the same lock, so that no grant is forgotten
 * between the last word to the store and the first question. One lock, since a few
 * milliseconds of contention while a store is away matter less than an exact account. Thread safe.
 */
final class Outage {

    private final int instances;
    private final Ticker ticker;
    private final Ticker wallTicker;
    private final Map<String, Share> shares = new HashMap<>();
    private final Map<Place, Owing> owing = new HashMap<>();
    private final Map<String, Integer> keysOwing = new HashMap<>();
    private boolean over;
    private long lostUnits;

    /** What one key owes. */
    private record Owing(FleetCharge charge, Arrears arrears) {}

    /** This instance's share of one limit, by key. */
    private static final class Share {
        RateTable table;
        final InFlightTable inFlight = new InFlightTable();

        Share(FleetLine line) {
            table = RateTable.of(
                    line.rate().map(limit -> limit.share(1).algorithm()).orElse(Algorithm.TOKEN_BUCKET),
                    line.maxKeys());
        }
    }

    Outage(int instances, Ticker ticker, Ticker wallTicker) {
        this.instances = instances;
        this.ticker = ticker;
        this.wallTicker = wallTicker;
    }

    /** Whether the store must still hear of something. */
    synchronized boolean owes() {
        return !owing.isEmpty();
    }

    synchronized boolean isOver() {
        return over;
    }

    /** Units whose grants could not be remembered since there were too many keys. */
    synchronized long lostUnits() {
        return lostUnits;
    }

    /**
     * Decides a call; empty when the outage is over.
     *
     * @param counted whether the store may have counted it already, so that it must not hear of it again
     */
    synchronized Optional<FleetAnswer> decide(List<FleetLine> lines, boolean counted) {
        if (over) {
            return Optional.empty();
        }
        long nowNanos = ticker.nanos();
        List<Line> said = new ArrayList<>(lines.size());
        boolean pass = true;
        boolean closed = false;
        for (FleetLine line : lines) {
            Line one = peek(line, nowNanos);
            said.add(one);
            pass &= one.waitNanos() == RateTable.NOW;
            closed |= line.charge().enforced() && line.onFailure() == StoreFailure.CLOSED;
        }
        if (!pass || closed) {
            return Optional.of(FleetAnswer.refused(pass ? Verdict.UNAVAILABLE : Verdict.REFUSED, said, true));
        }
        List<Optional<FleetGrant.Part>> parts = new ArrayList<>(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            FleetLine line = lines.get(i);
            if (line.charge().enforced()) {
                Granted granted = charge(line, counted, nowNanos);
                said.set(i, new Line(RateTable.NOW, standing(line, nowNanos), granted.turnNanos));
                parts.add(Optional.of(granted));
            } else {
                parts.add(Optional.empty());
            }
        }
        return Optional.of(FleetAnswer.granted(said, true, new FleetGrant(parts)));
    }

    private Line peek(FleetLine line, long nowNanos) {
        if (!line.charge().enforced()) {
            return Line.SILENT;
        }
        if (line.neverPasses()) {
            return new Line(RateTable.NEVER, Optional.empty(), 0);
        }
        if (line.onFailure() != StoreFailure.LOCAL) {
            return Line.SILENT;
        }
        Share share = share(line);
        long wait = line.rate()
                .map(limit -> share.table.peek(
                        hash(line),
                        tier(share, limit, nowNanos),
                        nowNanos,
                        line.charge().cost()))
                .orElseGet(() -> share.inFlight.inFlight(hash(line)) < calls(line)
                        ? Long.valueOf(RateTable.NOW)
                        : Long.valueOf(RateTable.IN_FLIGHT_WAIT_NANOS));
        return new Line(wait, standing(line, nowNanos), 0);
    }

    private Optional<Standing> standing(FleetLine line, long nowNanos) {
        if (line.onFailure() != StoreFailure.LOCAL) {
            return Optional.empty();
        }
        Share share = share(line);
        return Optional.of(line.rate()
                .map(limit -> share.table.standing(hash(line), tier(share, limit, nowNanos), nowNanos))
                .orElseGet(() -> Standing.inFlight(calls(line), share.inFlight.inFlight(hash(line)))));
    }

    private Granted charge(FleetLine line, boolean counted, long nowNanos) {
        Granted granted = new Granted(line);
        if (line.onFailure() == StoreFailure.LOCAL) {
            Share share = share(line);
            line.rate()
                    .ifPresentOrElse(
                            limit -> {
                                int tier = tier(share, limit, nowNanos);
                                share.table.charge(
                                        hash(line),
                                        tier,
                                        nowNanos,
                                        line.charge().cost(),
                                        granted.mark);
                                granted.turnNanos = line.charge().cost() == 0
                                        ? 0
                                        : share.table.turnNanos(tier, nowNanos, granted.mark[0]);
                            },
                            () -> share.inFlight.tryEnter(hash(line), calls(line)));
        }
        if (!counted && line.rate().isPresent() && line.charge().cost() > 0) {
            owe(granted, line.charge().cost());
        }
        return granted;
    }

    /** The store will hear of units that the line was granted, unless too many keys owe already. */
    private void owe(Granted granted, long units) {
        long nowNanos = ticker.nanos();
        Place place = Place.of(granted.line.charge());
        Owing owed = owing.get(place);
        if (owed == null) {
            int keys = keysOwing.getOrDefault(place.limit(), 0);
            if (keys >= granted.line.maxKeys()) {
                lostUnits += units;
                return;
            }
            keysOwing.put(place.limit(), keys + 1);
            owed = new Owing(
                    granted.line.charge(), new Arrears(granted.line.rate().orElseThrow(), nowNanos));
            owing.put(place, owed);
        }
        granted.owedMark = OptionalLong.of(owed.arrears.add(nowNanos, wallTicker.nanos(), units));
    }

    /** What the store must hear of now; when that is nothing, the outage is over and the answer empty. */
    synchronized Optional<List<RateStore.Owed>> drainOrEnd() {
        if (owing.isEmpty()) {
            over = true;
            return Optional.empty();
        }
        long nowNanos = ticker.nanos();
        List<RateStore.Owed> all = new ArrayList<>();
        for (Owing owed : owing.values()) {
            FleetCharge charge = owed.charge;
            for (Arrears.Part part : owed.arrears.parts(nowNanos)) {
                all.add(new RateStore.Owed(
                        new FleetCharge(charge.limit(), charge.key(), charge.use(), part.units(), true),
                        part.ageNanos()));
            }
        }
        owing.clear();
        keysOwing.clear();
        return Optional.of(all);
    }

    private Share share(FleetLine line) {
        return shares.computeIfAbsent(
                line.charge().limit() + " " + line.charge().window(), name -> new Share(line));
    }

    private int tier(Share share, RateLimit limit, long nowNanos) {
        RateLimit part = limit.share(instances);
        share.table = share.table.withRoomFor(List.of(part), nowNanos);
        return share.table.tier(part, nowNanos);
    }

    private int calls(FleetLine line) {
        int all = line.charge().use() instanceof FleetCharge.InFlight inFlight ? inFlight.calls() : 0;
        return all == 0 ? 0 : Math.max(1, all / instances);
    }

    private static long hash(FleetLine line) {
        return line.charge().key().low();
    }

    /** What one line was granted here. */
    private final class Granted implements FleetGrant.Part {
        private final FleetLine line;
        private final long[] mark = new long[1];
        private long turnNanos;
        private OptionalLong owedMark = OptionalLong.empty();

        Granted(FleetLine line) {
            this.line = line;
        }

        @Override
        public void correct(int index, long actualUnits) {
            long units = line.charge().cost() - actualUnits;
            synchronized (Outage.this) {
                if (units > 0) {
                    takeBack(units);
                } else if (units < 0) {
                    addOn(-units);
                }
            }
        }

        private void addOn(long units) {
            line.rate().filter(limit -> line.onFailure() == StoreFailure.LOCAL).ifPresent(limit -> {
                Share share = share(line);
                long nowNanos = ticker.nanos();
                share.table.force(hash(line), tier(share, limit, nowNanos), nowNanos, units);
            });
            if (owedMark.isPresent() && !over) {
                owe(this, units);
            }
        }

        private void takeBack(long units) {
            line.rate().ifPresent(limit -> {
                Share share = share(line);
                long nowNanos = ticker.nanos();
                if (line.onFailure() == StoreFailure.LOCAL) {
                    share.table.giveBack(hash(line), tier(share, limit, nowNanos), nowNanos, units, mark[0]);
                }
                Owing owed = owing.get(Place.of(line.charge()));
                if (owed != null && owedMark.isPresent()) {
                    owed.arrears.remove(owedMark.getAsLong(), nowNanos, units);
                }
            });
        }

        @Override
        public void flush() {}

        @Override
        public void giveBack() {
            synchronized (Outage.this) {
                takeBack(line.charge().cost());
                end();
            }
        }

        @Override
        public void end() {
            if (line.rate().isEmpty() && line.onFailure() == StoreFailure.LOCAL) {
                synchronized (Outage.this) {
                    share(line).inFlight.exit(hash(line));
                }
            }
        }
    }
}
