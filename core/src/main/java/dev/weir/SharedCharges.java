package dev.weir;

import dev.weir.fleet.FleetAnswer;
import dev.weir.fleet.FleetGrant;
import dev.weir.fleet.FleetLine;
import dev.weir.policy.Bill;
import dev.weir.policy.Budget;
import dev.weir.policy.StoreFailure;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateTable;
import dev.weir.rate.Standing;
import dev.weir.rate.StoreKey;
import dev.weir.rate.StoreKeyHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The lines of a bill that the fleet counts. Used by one thread until the decision is out, then guarded by the permit. */
final class SharedCharges {

    private final List<Charges.Line> lines = new ArrayList<>(2);
    private @Nullable FleetGrant grant;

    void add(Charges.Line line) {
        lines.add(line);
    }

    /** What the fleet is asked. */
    List<FleetLine> asked(StoreKeyHash keys) {
        List<FleetLine> asked = new ArrayList<>(lines.size());
        for (Charges.Line line : lines) {
            Bill.Line billed = line.billed;
            asked.add(new FleetLine(
                    charge(billed, keys),
                    billed.limit().onStoreFailure(),
                    billed.limit().maxKeys()));
        }
        return asked;
    }

    /** A line as the store is asked about it. */
    static FleetCharge charge(Bill.Line billed, StoreKeyHash keys) {
        StoreKey key = keys.of(List.of(billed.countedBy().toString(), billed.key()));
        FleetCharge.Use use = use(billed.budget());
        long cost = use instanceof FleetCharge.InFlight ? 1 : billed.cost();
        return new FleetCharge(billed.limit().name(), key, use, cost, billed.enforced());
    }

    /** A budget that counts, as a store knows it. Throws {@link IllegalArgumentException} when stores cannot count it. */
    static FleetCharge.Use use(Budget budget) {
        if (budget instanceof Budget.Rate rate) {
            return new FleetCharge.Rate(rate.limit());
        }
        if (budget instanceof Budget.InFlight inFlight) {
            return new FleetCharge.InFlight(inFlight.calls());
        }
        throw new IllegalArgumentException(budget + " does not count");
    }

    /** Takes in what the fleet answered. */
    void told(FleetAnswer answer) {
        grant = answer.grant().orElse(null);
        tell(answer.lines(), grant != null);
    }

    /** What shadow lines say for which the call did not wait: those lines. */
    List<Charges.Line> toldLater(List<FleetAnswer.Line> said) {
        tell(said, false);
        return lines.stream().filter(line -> !line.billed.enforced()).toList();
    }

    private void tell(List<FleetAnswer.Line> said, boolean charged) {
        for (int i = 0; i < lines.size(); i++) {
            Charges.Line line = lines.get(i);
            FleetAnswer.Line told = said.get(i);
            line.wait = told.waitNanos();
            line.charged |= charged && told.waitNanos() == RateTable.NOW;
            line.heard = told.standing().orElseGet(() -> told.waitNanos() == RateTable.NOW ? null : nothing(line));
        }
    }

    /** What is told of a key about which nothing was heard, and that is refused. */
    private static Standing nothing(Charges.Line line) {
        Budget budget = line.billed.budget();
        RateLimit limit = budget instanceof Budget.Rate rate ? rate.limit() : null;
        long quota = limit != null ? limit.capacity() : budget instanceof Budget.InFlight held ? held.calls() : 0;
        return new Standing(quota, OptionalLong.empty(), 0, OptionalLong.empty(), false, limit == null);
    }

    /** The longest time until the call's turn in a leaky queue. */
    static long turnNanos(FleetAnswer answer) {
        return answer.lines().stream()
                .mapToLong(FleetAnswer.Line::turnNanos)
                .max()
                .orElse(0);
    }

    /** The first line whose limit is closed while its store is away; empty when none is. */
    Optional<Charges.Line> closed() {
        return lines.stream()
                .filter(line -> line.billed.enforced() && line.billed.limit().onStoreFailure() == StoreFailure.CLOSED)
                .findFirst();
    }

    void correct(Charges.Line line, long actualUnits) {
        if (grant != null) {
            grant.correct(lines.indexOf(line), actualUnits);
        }
    }

    void flush() {
        if (grant != null) {
            grant.flush();
        }
    }

    void giveBack() {
        if (grant != null) {
            grant.giveBack();
        }
    }

    void end() {
        if (grant != null) {
            grant.end();
        }
    }
}
