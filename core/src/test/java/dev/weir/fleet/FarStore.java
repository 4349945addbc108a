package dev.weir.fleet;

import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.FleetSettings;
import dev.weir.rate.RateStore;
import dev.weir.rate.Receipt;
import dev.weir.rate.StoreFigures;
import dev.weir.rate.StoreKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A store at the end of a line: questions and answers take their time, answers get lost, and the line can be cut. */
final class FarStore implements RateStore {

    static final long BUDGET_NANOS = 5_000_000L;

    private final RateStore near;
    private final VirtualTime time;
    private final Random random;
    double lost;
    boolean cut;
    long bills;
    long settles;

    FarStore(RateStore near, VirtualTime time, Random random) {
        this.near = near;
        this.time = time;
        this.random = random;
    }

    private long delay() {
        return 20_000L + random.nextLong(1_500_000L);
    }

    private <T> CompletionStage<T> send(Supplier<CompletionStage<T>> question, T lostAnswer, T cutAnswer) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (cut) {
            time.after(1_000L, () -> answer.complete(cutAnswer));
            return answer;
        }
        boolean loses = random.nextDouble() < lost;
        time.after(delay(), () -> {
            CompletionStage<T> reply = question.get();
            if (!loses) {
                reply.thenAccept(value -> time.after(delay(), () -> answer.complete(value)));
            }
        });
        time.after(BUDGET_NANOS, () -> answer.complete(lostAnswer));
        return answer;
    }

    @Override
    public CompletionStage<Charged> charge(List<FleetCharge> bill) {
        bills++;
        return send(
                () -> near.charge(bill),
                new Charged.Unavailable(Charged.Cause.TIMEOUT, true),
                new Charged.Unavailable(Charged.Cause.CONNECTION_REFUSED, false));
    }

    @Override
    public CompletionStage<Optional<List<Charged.Line>>> peek(List<FleetCharge> bill) {
        return send(() -> near.peek(bill), Optional.empty(), Optional.empty());
    }

    @Override
    public CompletionStage<Boolean> settle(Receipt receipt, long[] actualUnits) {
        settles++;
        return send(() -> near.settle(receipt, actualUnits), false, false);
    }

    @Override
    public void maxKeys(String limit, int maxKeys) {
        near.maxKeys(limit, maxKeys);
    }

    @Override
    public boolean release(Receipt receipt) {
        return near.release(receipt);
    }

    @Override
    public Receipt receipt(String text) {
        return near.receipt(text);
    }

    @Override
    public CompletionStage<Boolean> absorb(List<Owed> owed) {
        return send(() -> near.absorb(owed), false, false);
    }

    @Override
    public CompletionStage<Boolean> forget(FleetCharge charge) {
        return send(() -> near.forget(charge), false, false);
    }

    @Override
    public CompletionStage<Optional<List<StoreKey>>> keys(String limit, int max) {
        return near.keys(limit, max);
    }

    @Override
    public CompletionStage<Boolean> probe() {
        return send(near::probe, false, false);
    }

    @Override
    public OptionalInt instances() {
        return near.instances();
    }

    @Override
    public FleetSettings settings() {
        return near.settings();
    }

    @Override
    public StoreFigures figures() {
        return near.figures();
    }

    @Override
    public void close() {
        near.close();
    }
}
