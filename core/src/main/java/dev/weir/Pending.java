package dev.weir;

import dev.weir.load.Entry;
import dev.weir.load.GateRefusal;
import dev.weir.load.Waiter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A decision that is not out yet: the call waits for its fleet's answer, for its turn, then at its gate. It comes out once, through {@link
 * #future}; when somebody completes or cancels that first, all the call holds is given back at that moment, wherever it is.
 *
 * <p>Giving up and being told meet in the gate, which lets one of them win: {@link Entry#cancel} is true and nobody will be told, or it is
 * false and the decision that comes finds the future completed, and is undone. The lock guards where the call is.
 */
final class Pending implements Waiter {

    private final Weir weir;
    private final Way way;
    private final CompletableFuture<Decision> future = new CompletableFuture<>();
    private volatile @Nullable Decision own;
    private volatile long enteredNanos;
    private boolean asking;
    private boolean atGate;
    private boolean abandoned;
    private @Nullable Entry parked;

    Pending(Weir weir, Way way) {
        this.weir = weir;
        this.way = way;
        asking = way.charges.shared() != null;
        CompletableFuture<Decision> unused = future.whenComplete((decision, failure) -> {
            if (decision == null || decision != own) {
                abandon();
            }
        });
    }

    /** Where the decision comes out. */
    CompletableFuture<Decision> future() {
        return future;
    }

    /** The fleet answered: the refusal, or empty. Whether the call goes on; it does not when nobody waits for it any more. */
    boolean answered(Optional<Decision> refusal) {
        boolean gone;
        synchronized (this) {
            asking = false;
            gone = abandoned;
        }
        if (refusal.isPresent()) {
            out(refusal.get());
        } else if (gone) {
            weir.undo(way);
        }
        return refusal.isEmpty() && !gone;
    }

    /** The call's turn has come: it enters its gate, or waits there without blocking this thread. */
    void enter() {
        synchronized (this) {
            if (abandoned || atGate) {
                return;
            }
            atGate = true;
        }
        if (!way.entersGate()) {
            out(weir.unheld(way));
            return;
        }
        enteredNanos = weir.nanos();
        Entry entry;
        try {
            entry = weir.enter(way, this);
        } catch (RuntimeException e) {
            weir.failed();
            out(weir.unheld(way));
            return;
        }
        if (entry.stamp().isPresent()) {
            out(weir.entered(way, entry.stamp().getAsLong(), 0));
        } else if (entry.refusal().isPresent()) {
            out(weir.refusedAtGate(way, entry.refusal().get(), 0));
        } else {
            park(entry);
        }
    }

    private void park(Entry entry) {
        boolean gone;
        synchronized (this) {
            parked = entry;
            gone = abandoned;
        }
        if (gone) {
            leave(entry);
        } else {
            weir.expireLater(way);
        }
    }

    @Override
    public void admitted(long stamp) {
        out(weir.entered(way, stamp, weir.nanos() - enteredNanos));
    }

    @Override
    public void refused(GateRefusal refusal) {
        out(weir.refusedAtGate(way, refusal, weir.nanos() - enteredNanos));
    }

    /** Tells the decision, or undoes it when nobody waits for it any more. */
    private void out(Decision decision) {
        own = weir.told(way, decision);
        if (!future.complete(decision) && decision instanceof Decision.Admitted admitted) {
            admitted.permit().undo();
        }
    }

    private void abandon() {
        boolean waitsForTurn;
        Entry entry;
        synchronized (this) {
            abandoned = true;
            waitsForTurn = !atGate && !asking;
            entry = parked;
        }
        if (waitsForTurn) {
            weir.undo(way);
        } else if (entry != null) {
            leave(entry);
        }
    }

    private void leave(Entry entry) {
        if (entry.cancel()) {
            weir.undo(way);
        }
    }
}
