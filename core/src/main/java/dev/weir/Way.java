package dev.weir;

import dev.weir.load.Gate;
import dev.weir.load.GateCall;
import dev.weir.load.GateReason;
import dev.weir.load.PoolSettings;
import dev.weir.policy.Bill;
import dev.weir.policy.Call;
import dev.weir.policy.GateRule;
import dev.weir.policy.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One call on its way through a decision: what the policy says about it, and what came of it so far. Used by one thread at a time. */
final class Way {

    final Call call;
    final Rules rules;
    final Bill bill;
    final Charges charges;
    final Now arrived;
    /** The gate that holds the call, if one does. */
    final @Nullable Gate gate;

    /** In which cheaper ways it is served since a dependency is out. */
    private List<String> fallbacks = List.of();
    /** Why a shadow gate would have refused it. */
    private @Nullable GateReason shadowRefusal;
    /** How long until its turn in the longest leaky queue. */
    long turnNanos;
    /** Whether a fleet limit was decided without its store. */
    boolean withoutStore;

    Way(Call call, Rules rules, Bill bill, Charges charges, Now arrived) {
        this.call = call;
        this.rules = rules;
        this.bill = bill;
        this.charges = charges;
        this.arrived = arrived;
        gate = bill.entrance().map(in -> rules.gates().get(in.gate().name())).orElse(null);
    }

    /** The rule of the call's gate; to be asked only when there is one. */
    GateRule rule() {
        return entrance().gate();
    }

    /** Its gate; to be asked only when there is one. */
    Gate gate() {
        Gate there = gate;
        if (there == null) {
            throw new IllegalStateException("no gate holds this call");
        }
        return there;
    }

    /** Without what its pool is of no use. */
    List<String> needs() {
        return rule().pools().isEmpty()
                ? List.of()
                : rule().pools().get(entrance().pool()).needs();
    }

    /** Whether the call takes a slot: not where no gate holds it, nor where a shadow would have refused it. */
    boolean entersGate() {
        return gate != null && shadowRefusal == null;
    }

    private Bill.Entrance entrance() {
        return bill.entrance().orElseThrow();
    }

    boolean gateActs() {
        return rule().mode().kind() == Mode.Kind.ENFORCE;
    }

    /** What the gate must know of the call. */
    GateCall gateCall() {
        long deadlineNanos = bill.timeLeftNanos().isPresent()
                ? arrived.nanos() + bill.timeLeftNanos().getAsLong()
                : GateCall.NO_DEADLINE;
        return new GateCall(entrance().pool(), entrance().tenant().orElse(null), bill.criticality(), deadlineNanos);
    }

    void shadowRefused(GateReason reason) {
        shadowRefusal = reason;
    }

    /** What the gate said when it let the call in. */
    Optional<Decision.Gated> letIn() {
        return gate == null ? Optional.empty() : gated(shadowRefusal);
    }

    /** What the gate said when it refused. */
    Optional<Decision.Gated> refused(GateReason reason) {
        return gated(reason);
    }

    private Optional<Decision.Gated> gated(@Nullable GateReason refused) {
        List<PoolSettings> pools = rule().settings().pools();
        Optional<String> pool = pools.isEmpty()
                ? Optional.empty()
                : Optional.of(pools.get(entrance().pool()).name());
        return Optional.of(new Decision.Gated(rule().name(), pool, gateActs(), Optional.ofNullable(refused)));
    }

    /** It is served in this cheaper way since a dependency is out. */
    void fallsBackTo(String mode) {
        fallbacks = new ArrayList<>(fallbacks);
        fallbacks.add(mode);
    }

    /** In which cheaper ways the call is served, in the policy's order. */
    List<String> degrade() {
        if (gate == null) {
            return List.of();
        }
        boolean steps = gateActs() && !rule().degradable().isEmpty();
        List<String> inForce = steps ? rule().degrade(call, gate.degradeSteps()::get) : List.of();
        if (fallbacks.isEmpty()) {
            return inForce;
        }
        List<String> all = new ArrayList<>(fallbacks);
        inForce.stream().filter(mode -> !all.contains(mode)).forEach(all::add);
        return List.copyOf(all);
    }
}
