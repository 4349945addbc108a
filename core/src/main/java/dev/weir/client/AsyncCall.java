package dev.weir.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call that no thread waits for, through all its attempts. Sends of one attempt may overlap when one is hedged: the first that is taken
 * ends the call, and the other is cancelled; the last that is not is what a retry follows. The lock guards what is under way.
 */
final class AsyncCall<T> {

    private final Outbound outbound;
    private final OutboundCall call;
    private final AsyncOutboundWork<T> work;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final List<UnderWay<T>> underWay = new ArrayList<>();
    private final List<CompletableFuture<Leave>> asked = new ArrayList<>(1);
    private boolean over;

    /** A send without an answer. */
    private record UnderWay<T>(Sending sending, CompletableFuture<T> answer) {}

    AsyncCall(Outbound outbound, OutboundCall call, AsyncOutboundWork<T> work) {
        this.outbound = outbound;
        this.call = call;
        this.work = work;
        CompletableFuture<T> unused = future.whenComplete((result, failure) -> end());
    }

    /** Goes on when there is leave for the first attempt. */
    CompletableFuture<T> begin(CompletableFuture<Leave> first) {
        await(first, leave -> {
            if (leave instanceof OutboundRefusal refusal) {
                future.completeExceptionally(new OutboundRefusedException(refusal));
            } else if (leave instanceof Sending sending) {
                send(sending, true);
            }
        });
        return future;
    }

    /** Tells what came of asking for leave, unless the call is over before. */
    private void await(CompletableFuture<Leave> leave, Consumer<Leave> told) {
        boolean gone;
        synchronized (this) {
            asked.add(leave);
            gone = over;
        }
        if (gone) {
            leave.cancel(false);
        }
        CompletableFuture<Leave> unused = leave.whenComplete((answer, failure) -> {
            if (answer != null) {
                told.accept(answer);
            }
        });
    }

    private void send(Sending sending, boolean mayHedge) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        UnderWay<T> send = new UnderWay<>(sending, answer);
        boolean gone;
        synchronized (this) {
            gone = over;
            if (!gone) {
                underWay.add(send);
            }
        }
        if (gone) {
            sending.unsent();
            return;
        }
        CompletionStage<T> stage;
        try {
            stage = work.send(sending);
        } catch (RuntimeException | Error e) {
            stage = CompletableFuture.failedFuture(e);
        }
        CompletionStage<T> sent = stage;
        CompletableFuture<T> cancelled = answer.whenComplete((result, failure) -> {
            if (answer.isCancelled()) {
                sent.toCompletableFuture().cancel(true);
            }
        });
        CompletionStage<T> unused = sent.whenComplete((result, failure) -> answered(send, result, failure));
        if (mayHedge && !cancelled.isDone()) {
            hedgeLater(sending);
        }
    }

    private void answered(UnderWay<T> send, @Nullable T result, @Nullable Throwable failure) {
        PeerAnswer answer;
        try {
            answer = work.read(result, failure);
        } catch (RuntimeException | Error e) {
            send.sending().answered(PeerAnswer.IGNORED);
            future.completeExceptionally(e);
            return;
        }
        if (!send.sending().answered(answer)) {
            discard(result);
            return;
        }
        boolean others;
        synchronized (this) {
            underWay.remove(send);
            others = !underWay.isEmpty();
        }
        if (!answer.accepted() && others) {
            discard(result);
            return;
        }
        Optional<Asking> retry = future.isDone() ? Optional.empty() : outbound.retry(send.sending(), answer);
        if (retry.isEmpty()) {
            complete(result, failure);
            return;
        }
        await(retry.get().begin(), leave -> {
            if (leave instanceof Sending again) {
                discard(result);
                send(again, true);
            } else {
                complete(result, failure);
            }
        });
    }

    @SuppressWarnings("NullAway") // work may answer null, and is answered it
    private void complete(@Nullable T result, @Nullable Throwable failure) {
        boolean own = failure == null ? future.complete(result) : future.completeExceptionally(failure);
        if (!own) {
            discard(result);
        }
    }

    private void discard(@Nullable T result) {
        if (result != null) {
            work.discard(result);
        }
    }

    private void hedgeLater(Sending sending) {
        OptionalLong after = outbound.settings().hedgeNanos();
        if (after.isPresent() && call.repeat() == Repeat.SAFE) {
            outbound.after(after.getAsLong(), () -> hedge(sending));
        }
    }

    private void hedge(Sending sending) {
        synchronized (this) {
            if (over || underWay.stream().noneMatch(send -> send.sending() == sending)) {
                return;
            }
        }
        Optional<Asking> joined = outbound.hedge(sending);
        if (joined.isEmpty()) {
            return;
        }
        await(joined.get().begin(), leave -> {
            if (leave instanceof Sending second) {
                send(second, false);
            }
        });
    }

    /** The call is over, by an answer or because its caller left: nothing of it stays. */
    private void end() {
        List<UnderWay<T>> left;
        List<CompletableFuture<Leave>> awaited;
        synchronized (this) {
            over = true;
            left = List.copyOf(underWay);
            underWay.clear();
            awaited = List.copyOf(asked);
        }
        awaited.forEach(leave -> leave.cancel(false));
        left.forEach(send -> {
            send.sending().answered(PeerAnswer.IGNORED);
            send.answer().cancel(true);
        });
    }
}
