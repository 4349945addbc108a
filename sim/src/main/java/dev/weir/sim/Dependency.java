package dev.weir.sim;

import dev.weir.client.AsyncOutboundWork;
import dev.weir.client.Outbound;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundListener;
import dev.weir.client.OutboundRefusedException;
import dev.weir.client.PeerAnswer;
import dev.weir.client.Sending;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A dependency as one instance asks it, by the production class on the virtual clock. The service behind it is shared. */
final class Dependency {

    private final DependencySettings settings;
    private final VirtualTime time;
    private final Meters meters;
    private final Provider provider;
    private final Outbound outbound;
    private double due;

    Dependency(DependencySettings settings, VirtualTime time, Meters meters) {
        this(settings, time, meters, new Provider(settings, time, meters), 0);
    }

    private Dependency(DependencySettings settings, VirtualTime time, Meters meters, Provider provider, int number) {
        this.settings = settings;
        this.time = time;
        this.meters = meters;
        this.provider = provider;
        this.outbound = Outbound.of(
                settings.outbound(), time, time::after, new SplittableRandom(number), OutboundListener.NONE);
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
        meters.dependency().called();
        CompletableFuture<Boolean> unused = outbound.callAsync(OutboundCall.REPEATABLE, new Asked())
                .whenComplete((well, failure) -> {
                    if (failure instanceof OutboundRefusedException) {
                        meters.dependency().refusedOutbound();
                    }
                    then.accept(Boolean.TRUE.equals(well));
                });
    }

    /** Asks the provider, and takes its refusal for one. */
    private final class Asked implements AsyncOutboundWork<Boolean> {

        @Override
        public CompletionStage<Boolean> send(Sending attempt) {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            meters.dependency().inFlight().add(1);
            provider.receive(well -> {
                meters.dependency().inFlight().add(-1);
                answer.complete(well);
            });
            return answer;
        }

        @Override
        public PeerAnswer read(@Nullable Boolean well, @Nullable Throwable failure) {
            return Boolean.TRUE.equals(well) ? PeerAnswer.ACCEPTED : PeerAnswer.REFUSED;
        }
    }
}
