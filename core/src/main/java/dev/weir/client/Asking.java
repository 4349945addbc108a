package dev.weir.client;

import dev.weir.load.Entry;
import dev.weir.load.Gate;
import dev.weir.load.GateCall;
import dev.weir.load.GateRefusal;
import dev.weir.load.Outcome;
import dev.weir.load.Waiter;
import dev.weir.rate.Reservation;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One asking for leave to send. It waits without a thread: for the end of a pause, for its turn, for a slot, altogether no longer than a call
 * may wait; what cannot come in that time is refused at once. The answer comes out once, through {@link #future}; when somebody completes
 * or cancels that first, all that is held is given back at that moment.
 *
 * <p>Each step is one look at everything under this object's lock: it goes on, sleeps until a known time, or ends. Whoever wakes it, timer
 * or answer, makes it look again, so that a wake-up too many does no harm. Nobody is told while the lock is held.
 */
final class Asking implements Waiter {

    private static final int MOST_LOOKS = 3;

    private final Outbound outbound;
    private final Outbound.Parts parts;
    private final OutboundCall call;
    private final int attempt;
    private final boolean joins;
    private final long askedAtNanos;
    private final long notBeforeNanos;
    private final long patientUntilNanos;
    private final OptionalLong deadlineNanos;
    private final CompletableFuture<Leave> future = new CompletableFuture<>();
    private volatile @Nullable Leave own;
    /** Its place among those who wait for the dependency; 0 before it does. */
    volatile long waiterNumber;

    private boolean over;
    private boolean passedThrottle;
    private boolean hasTurn;
    private @Nullable Reservation turn;
    private long turnAtNanos;
    private @Nullable Entry parked;
    private boolean enters;
    private boolean sleeps;
    private long sleepsUntilNanos;

    /**
     * Asks.
     *
     * @param joins whether it is for a send that joins another of the same attempt
     * @param notBeforeNanos when it may be sent at the earliest
     * @param patienceNanos how long after that it may wait
     * @param deadlineNanos when an answer is of no use any more, on the ticker
     */
    Asking(
            Outbound outbound,
            OutboundCall call,
            int attempt,
            boolean joins,
            long notBeforeNanos,
            long patienceNanos,
            OptionalLong deadlineNanos) {
        this.outbound = outbound;
        this.parts = outbound.parts();
        this.call = call;
        this.attempt = attempt;
        this.joins = joins;
        this.askedAtNanos = outbound.nanos();
        this.notBeforeNanos = notBeforeNanos;
        this.patientUntilNanos = notBeforeNanos + patienceNanos;
        this.deadlineNanos = deadlineNanos;
        CompletableFuture<Leave> unused = future.whenComplete((leave, failure) -> {
            if (leave == null || leave != own) {
                abandon();
            }
        });
    }

    int attempt() {
        return attempt;
    }

    boolean joins() {
        return joins;
    }

    OutboundCall call() {
        return call;
    }

    Outbound.Parts parts() {
        return parts;
    }

    OptionalLong deadlineNanos() {
        return deadlineNanos;
    }

    OptionalLong timeLeftNanos() {
        return deadlineNanos.isPresent()
                ? OptionalLong.of(Math.max(0, deadlineNanos.getAsLong() - outbound.nanos()))
                : deadlineNanos;
    }

    /** Where the answer comes out. */
    CompletableFuture<Leave> future() {
        return future;
    }

    /** Looks for the first time; the answer comes out of {@link #future}. */
    CompletableFuture<Leave> begin() {
        goOn();
        return future;
    }

    /** Looks whether it can go on, and tells when it is over. */
    void goOn() {
        Optional<Leave> out;
        synchronized (this) {
            if (over || enters) {
                return;
            }
            out = look();
            over = out.isPresent();
        }
        out.ifPresent(this::tell);
    }

    private Optional<Leave> look() {
        for (int looks = 0; looks < MOST_LOOKS; looks++) {
            long now = outbound.nanos();
            if (notBeforeNanos - now > 0) {
                return sleepUntil(notBeforeNanos, now);
            }
            if (deadlineNanos.isPresent() && deadlineNanos.getAsLong() - now <= 0) {
                return refused(OutboundReason.DEADLINE, OptionalLong.empty(), "the time for it is over");
            }
            if (!hasTurn) {
                Optional<Leave> early = takeTurn(now);
                if (early.isPresent() || !hasTurn) {
                    return early;
                }
            }
            if (turnAtNanos - now > 0) {
                return sleepUntil(turnAtNanos, now);
            }
            Optional<Leave> entered = enter(now);
            if (entered.isPresent() || enters) {
                return entered;
            }
        }
        return waitForPeer(outbound.nanos());
    }

    /** What can be said without holding anything, and then a turn. With neither an answer nor a turn it sleeps. */
    private Optional<Leave> takeTurn(long now) {
        if (outbound.learnt().peerWait(now).nanos() > 0) {
            return waitForPeer(now);
        }
        if (!passedThrottle && !outbound.passesThrottle(call.criticality())) {
            return refused(
                    OutboundReason.THROTTLED,
                    OptionalLong.of(Outbound.THROTTLE_RETRY_NANOS),
                    "it turns away most of what it is sent, and is asked less");
        }
        passedThrottle = true;
        Optional<GateRefusal> full = parts.gate().flatMap(gate -> gate.judge(gateCall(now)));
        if (full.isPresent()) {
            return refusedAtGate(full.get());
        }
        if (parts.limiter().isEmpty()) {
            hasTurn = true;
            turnAtNanos = now;
            return Optional.empty();
        }
        return reserve(now);
    }

    private Optional<Leave> reserve(long now) {
        Reservation reserved = parts.limiter().orElseThrow().reserve(1, Duration.ofNanos(longestWait(now)));
        if (!reserved.granted()) {
            long wait = reserved.waitNanos();
            boolean late = deadlineNanos.isPresent() && wait <= patientUntilNanos - now;
            return refused(
                    late ? OutboundReason.DEADLINE : OutboundReason.RATE,
                    OptionalLong.of(wait),
                    parts.limiter().get().limit() + " is used up for longer than the call can wait");
        }
        hasTurn = true;
        turn = reserved;
        turnAtNanos = now + reserved.waitNanos();
        return Optional.empty();
    }

    /** How long it can wait from now. */
    private long longestWait(long now) {
        long patience = Math.max(0, patientUntilNanos - now);
        return deadlineNanos.isPresent() ? Math.min(patience, deadlineNanos.getAsLong() - now) : patience;
    }

    private Optional<Leave> waitForPeer(long now) {
        Learnt.Wait wait = outbound.learnt().peerWait(now);
        long waitNanos = wait.nanos();
        long longest = longestWait(now);
        if (longest <= 0 || (waitNanos > longest && wait.known())) {
            boolean late = deadlineNanos.isPresent() && waitNanos <= patientUntilNanos - now;
            return refused(
                    late ? OutboundReason.DEADLINE : OutboundReason.PAUSED,
                    OptionalLong.of(waitNanos),
                    "it asked not to be sent more for longer than the call can wait");
        }
        if (!outbound.waitsForPeer(this)) {
            return refused(
                    OutboundReason.PAUSED, OptionalLong.of(waitNanos), "too many calls wait for it to be asked again");
        }
        return sleepUntil(now + Math.min(waitNanos, longest), now);
    }

    private Optional<Leave> sleepUntil(long atNanos, long now) {
        if (!sleeps || sleepsUntilNanos != atNanos) {
            sleeps = true;
            sleepsUntilNanos = atNanos;
            outbound.after(atNanos - now, this::wake);
        }
        return Optional.empty();
    }

    private void wake() {
        synchronized (this) {
            sleeps = sleeps && sleepsUntilNanos - outbound.nanos() > 0;
        }
        goOn();
    }

    /** Its turn has come: a slot, then leave of the dependency. */
    private Optional<Leave> enter(long now) {
        if (parts.gate().isEmpty()) {
            return send(Gate.REFUSED, now);
        }
        Gate gate = parts.gate().get();
        Entry entry = gate.enter(gateCall(now), this);
        if (entry.stamp().isPresent()) {
            return send(entry.stamp().getAsLong(), now);
        }
        if (entry.refusal().isPresent()) {
            return refusedAtGate(entry.refusal().get());
        }
        enters = true;
        parked = entry;
        outbound.after(longestWait(now), gate::expire);
        return Optional.empty();
    }

    private GateCall gateCall(long now) {
        return new GateCall(0, null, call.criticality(), now + longestWait(now));
    }

    /** With a slot: leave, or everything back and another look because the dependency was heard in the meantime. */
    private Optional<Leave> send(long stamp, long now) {
        OptionalLong number = outbound.learnt().trySend(now);
        if (number.isPresent()) {
            return Optional.of(new Sending(outbound, this, number.getAsLong(), stamp));
        }
        if (stamp != Gate.REFUSED) {
            parts.gate().ifPresent(gate -> gate.exit(stamp, Outcome.IGNORED));
        }
        giveTurnBack();
        return Optional.empty();
    }

    @Override
    public void admitted(long stamp) {
        Optional<Leave> out;
        boolean late;
        synchronized (this) {
            enters = false;
            parked = null;
            late = over;
            out = late ? Optional.empty() : send(stamp, outbound.nanos());
            over |= out.isPresent();
        }
        if (late) {
            parts.gate().ifPresent(gate -> gate.exit(stamp, Outcome.IGNORED));
        } else {
            out.ifPresentOrElse(this::tell, this::goOn);
        }
    }

    @Override
    public void refused(GateRefusal refusal) {
        Optional<Leave> out;
        synchronized (this) {
            enters = false;
            parked = null;
            out = over ? Optional.empty() : refusedAtGate(refusal);
            over = true;
        }
        out.ifPresent(this::tell);
    }

    private Optional<Leave> refusedAtGate(GateRefusal refusal) {
        int most = parts.gate().map(Gate::limit).orElse(0);
        return refused(
                OutboundReason.IN_FLIGHT,
                OptionalLong.of(refusal.retryAfterNanos()),
                most + " calls may be under way at once, and they are");
    }

    private Optional<Leave> refused(OutboundReason reason, OptionalLong retryAfterNanos, String because) {
        giveTurnBack();
        String dependency = parts.settings().name();
        return Optional.of(new OutboundRefusal(
                dependency,
                reason,
                retryAfterNanos,
                dependency + " was not asked: " + because + when(retryAfterNanos)));
    }

    private static String when(OptionalLong retryAfterNanos) {
        if (retryAfterNanos.isEmpty()) {
            return "";
        }
        long millis = (retryAfterNanos.getAsLong() - 1) / 1_000_000 + 1;
        return "; come back in " + millis + " ms";
    }

    private void giveTurnBack() {
        hasTurn = false;
        if (turn != null) {
            turn.cancel();
            turn = null;
        }
    }

    /** It was not sent, although it might have been. */
    void giveBack() {
        synchronized (this) {
            giveTurnBack();
        }
    }

    private void tell(Leave leave) {
        outbound.over(this, leave, outbound.nanos() - Math.max(askedAtNanos, notBeforeNanos));
        own = leave;
        if (!future.complete(leave) && leave instanceof Sending sending) {
            sending.unsent();
        }
    }

    private void abandon() {
        Entry entry;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            giveTurnBack();
            entry = parked;
        }
        outbound.waitsNoMore(this);
        if (entry != null) {
            boolean unused = entry.cancel(); // else admitted() finds it over, and lets the slot go
        }
    }
}
