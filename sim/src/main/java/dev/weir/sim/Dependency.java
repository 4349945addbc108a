package dev.weir.sim;

import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.Gate;
import dev.weir.load.GateSettings;
import dev.weir.load.Outcome;
import dev.weir.rate.RateLimiter;
import dev.weir.rate.Reservation;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** A dependency as one instance calls it: by what the instance allows itself, and with retries. The service behind it is shared. */
final class Dependency {

    private final DependencySettings settings;
    private final VirtualTime time;
    private final Meters meters;
    private final Provider provider;
    private final Optional<RateLimiter> rate;
    private final Optional<Gate> inFlight;
    private final RetryAllowance allowance;
    private final SplittableRandom draws;
    private double due;

    Dependency(DependencySettings settings, VirtualTime time, Meters meters) {
        this(settings, time, meters, new Provider(settings, time, meters), 0);
    }

    private Dependency(DependencySettings settings, VirtualTime time, Meters meters, Provider provider, int number) {
        this.settings = settings;
        this.time = time;
        this.meters = meters;
        this.provider = provider;
        this.rate = settings.outbound().rate().map(limit -> RateLimiter.of(limit, time));
        this.inFlight = settings.outbound().inFlight().stream()
                .mapToObj(most -> Gate.of(GateSettings.of(settings.name(), ConcurrencyLimit.fixed(most)), time))
                .findFirst();
        this.allowance =
                new RetryAllowance(settings.retry().map(RetrySettings::budget).orElse(OptionalDouble.empty()));
        this.draws = new SplittableRandom(number);
    }

    /** The same service, called by another instance. */
    Dependency seenFrom(int number) {
        return new Dependency(settings, time, meters, provider, number);
    }

    /** Whether the next call is one of those that need it. */
    boolean isNeeded() {
        due += settings.share();
        if (due < 1) {
            return false;
        }
        due -= 1;
        return true;
    }

    /** Calls it, and says whether that went well. */
    void call(Consumer<Boolean> then) {
        allowance.first(time.nanos());
        meters.dependency().called();
        tryOnce(1, then);
    }

    private void tryOnce(int tries, Consumer<Boolean> then) {
        if (rate.isEmpty()) {
            send(tries, then);
            return;
        }
        Reservation turn =
                rate.get().reserve(1, Duration.ofNanos(settings.outbound().maxWaitNanos()));
        if (turn.granted()) {
            time.after(turn.waitNanos(), () -> send(tries, then));
        } else {
            meters.dependency().refusedOutbound();
            then.accept(false);
        }
    }

    private void send(int tries, Consumer<Boolean> then) {
        long stamp = inFlight.map(Gate::tryEnter).orElse(1L);
        if (stamp == Gate.REFUSED) {
            meters.dependency().refusedOutbound();
            then.accept(false);
            return;
        }
        meters.dependency().inFlight().add(1);
        provider.receive(well -> {
            meters.dependency().inFlight().add(-1);
            inFlight.ifPresent(gate -> gate.exit(stamp, well ? Outcome.SUCCESS : Outcome.DROPPED));
            answered(tries, well, then);
        });
    }

    private void answered(int tries, boolean well, Consumer<Boolean> then) {
        if (well
                || settings.retry().isEmpty()
                || tries >= settings.retry().get().tries()
                || !allowance.takeRetry(time.nanos())) {
            then.accept(well);
            return;
        }
        time.after(settings.retry().get().pauseNanos(tries, draws.nextDouble()), () -> tryOnce(tries + 1, then));
    }
}
