package dev.weir.sim;

import dev.weir.client.RetryBudget;
import java.util.Optional;
import java.util.SplittableRandom;

/** All clients of one kind at work. */
final class Crowd {

    private static final long LOOK_AGAIN_NANOS = 10_000_000;

    private final ClientSettings settings;
    private final int index;
    private final VirtualTime time;
    private final Fleet fleet;
    private final Meters meters;
    private final SplittableRandom draws;
    private final SplittableRandom retryDraws;
    private final Optional<RetryBudget> budget;

    Crowd(ClientSettings settings, int index, long seed, VirtualTime time, Fleet fleet, Meters meters) {
        this.settings = settings;
        this.index = index;
        this.time = time;
        this.fleet = fleet;
        this.meters = meters;
        SplittableRandom source = new SplittableRandom(seed * 31 + index);
        this.draws = source.split();
        this.retryDraws = source.split();
        this.budget =
                settings.retry().flatMap(RetrySettings::budgetBasisPoints).map(share -> RetryBudget.of(share, time));
    }

    ClientSettings settings() {
        return settings;
    }

    int index() {
        return index;
    }

    void begin() {
        if (settings.arrivals() instanceof ClientSettings.Arrivals.Closed closed) {
            for (int user = 0; user < closed.users(); user++) {
                time.after((long) (draws.nextDouble() * closed.thinkNanos()), this::call);
            }
        } else if (settings.arrivals() instanceof ClientSettings.Arrivals.Open open) {
            planNext(open);
        }
    }

    private void planNext(ClientSettings.Arrivals.Open open) {
        double perSecond = Rate.at(open.perSecond(), time.nanos());
        if (perSecond <= 0) {
            time.after(LOOK_AGAIN_NANOS, () -> planNext(open));
            return;
        }
        double gaps = open.even() ? 1 : -StrictMath.log(1 - draws.nextDouble());
        time.after(Math.max(1, (long) (gaps * Meters.SECOND / perSecond)), () -> {
            call();
            planNext(open);
        });
    }

    private void call() {
        Call call = new Call(this, settings.criticality(draws.nextDouble()));
        meters.offered(call);
        budget.ifPresent(RetryBudget::first);
        send(call, draws.nextDouble());
    }

    private void send(Call call, double workDraw) {
        call.sends++;
        Send send = new Send(call, time.nanos(), workDraw);
        meters.sent();
        if (settings.watchesDeadline()) {
            time.after(settings.deadlineNanos(), () -> deadlinePassed(send));
        }
        fleet.arrive(send);
    }

    /** An answer came. */
    void answered(Send send, boolean well) {
        meters.answered(send, well);
        if (!send.abandoned) {
            thinkAndCallAgain();
        }
    }

    /** The gate said no. */
    void refused(Send send) {
        if (!send.abandoned) {
            sendAgain(send.call);
        }
    }

    private void deadlinePassed(Send send) {
        if (!send.ended) {
            send.abandoned = true;
            meters.abandoned();
            fleet.abandoned(send);
            sendAgain(send.call);
        }
    }

    private void sendAgain(Call call) {
        if (settings.retry().isEmpty()
                || call.sends >= settings.retry().get().tries()
                || !budget.map(RetryBudget::tryRetry).orElse(true)) {
            thinkAndCallAgain();
            return;
        }
        RetrySettings retry = settings.retry().get();
        double workDraw = retryDraws.nextDouble();
        time.after(retry.backoff().drawNanos(call.sends - 1, retryDraws), () -> send(call, workDraw));
    }

    private void thinkAndCallAgain() {
        if (settings.arrivals() instanceof ClientSettings.Arrivals.Closed closed) {
            time.after(closed.thinkNanos(), this::call);
        }
    }
}
