package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Budget;
import dev.weir.policy.Call;
import dev.weir.policy.Key;
import dev.weir.policy.Limit;
import dev.weir.policy.Policy;
import dev.weir.rate.Algorithm;
import dev.weir.rate.RateLimit;
import java.time.Duration;
import java.time.Instant;

/** A Weir on clocks that a test moves by hand; they start at 2026-03-01T00:00:00Z. */
final class Scene {

    static final Key API_KEY = new Key.Header("X-Api-Key");

    private long nanos = 5_000_000_000L;
    private long wall = Instant.parse("2026-03-01T00:00:00Z").getEpochSecond() * 1_000_000_000L;
    final Weir weir;

    Scene(Limit... limits) {
        this(policy(limits));
    }

    Scene(Policy policy, WeirListener... listeners) {
        Weir.Builder builder = Weir.builder(policy).tickers(new HandTicker(), () -> wall);
        for (WeirListener listener : listeners) {
            builder.listener(listener);
        }
        weir = builder.build();
    }

    /** Whoever parks on it finds that the time has passed. */
    private final class HandTicker implements Ticker {
        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void park(long waitNanos) {
            if (!Thread.currentThread().isInterrupted()) {
                advanceNanos(waitNanos);
            }
        }
    }

    static Policy policy(Limit... limits) {
        Policy.Builder builder = Policy.builder();
        for (Limit limit : limits) {
            builder.limit(limit);
        }
        return builder.build();
    }

    static Budget rate(String rate) {
        return new Budget.Rate(RateLimit.parse(rate));
    }

    static Budget fixed(String rate) {
        return new Budget.Rate(RateLimit.parse(rate).algorithm(Algorithm.FIXED_WINDOW));
    }

    /** A limit by X-Api-Key. */
    static Limit perKey(String name, Budget budget) {
        return Limit.of(name, API_KEY, budget);
    }

    static Limit forAll(String name, Budget budget) {
        return Limit.of(name, Key.ALL, budget);
    }

    Scene at(Instant instant) {
        wall = instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
        return this;
    }

    void advance(Duration time) {
        advanceNanos(time.toNanos());
    }

    void advanceNanos(long time) {
        nanos += time;
        wall += time;
    }

    long nanos() {
        return nanos;
    }

    boolean passes(Call call) {
        return weir.judge(call) instanceof Decision.Admitted;
    }

    /** How many of so many calls pass, none of which ends. */
    int passing(Call call, int calls) {
        int passing = 0;
        for (int i = 0; i < calls; i++) {
            passing += passes(call) ? 1 : 0;
        }
        return passing;
    }

    Decision.Admitted admitted(Call call) {
        Decision decision = weir.judge(call);
        assertThat(decision).isInstanceOf(Decision.Admitted.class);
        return (Decision.Admitted) decision;
    }

    Decision.Rejected rejected(Call call) {
        Decision decision = weir.judge(call);
        assertThat(decision).isInstanceOf(Decision.Rejected.class);
        return (Decision.Rejected) decision;
    }

    /** What the limit says is left, asked with a call that is undone. Only of calls that pass, or of what refuses them. */
    long left(String limit, Call call) {
        Decision decision = weir.judge(call);
        long left = judged(decision, limit).standing().remaining();
        if (decision instanceof Decision.Admitted in) {
            in.permit().undo();
            return left + judged(decision, limit).cost();
        }
        return left;
    }

    static Decision.Judged judged(Decision decision, String limit) {
        return java.util.stream.Stream.concat(decision.judged().stream(), decision.shadows().stream())
                .filter(judged -> judged.limit().equals(limit))
                .findFirst()
                .orElseThrow();
    }
}
