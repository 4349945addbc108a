package dev.weir;

import dev.weir.client.Outbound;
import dev.weir.rate.FleetSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Pauses that dependencies ask one instance for, kept by all of its fleet: each is a setting in the store that ends with the pause. What is
 * told twice is no news, so a thousand refusals are one setting. Thread safe.
 */
final class SharedPauses {

    private static final String PREFIX = "pause/";
    /** The least by which a pause must end later to be told again, and which part of the pause. */
    private static final long LEAST_NEWS_NANOS = 100_000_000L;

    private static final long NEWS_PART = 10;

    private final FleetSettings settings;
    /** Until when, by the store's clock, as it was told or heard last. */
    private final Map<String, Instant> known = new ConcurrentHashMap<>();

    SharedPauses(FleetSettings settings) {
        this.settings = settings;
    }

    /** A dependency asked this instance for a pause of so long. */
    void learnt(String dependency, long forNanos) {
        Instant until = settings.now().plusNanos(forNanos).truncatedTo(ChronoUnit.MICROS);
        Instant before = known.get(dependency);
        Instant news = until.minusNanos(Math.max(LEAST_NEWS_NANOS, forNanos / NEWS_PART));
        if (before == null || before.isBefore(news)) {
            known.put(dependency, until);
            CompletionStage<Void> unused = settings.put(PREFIX + dependency, "", Optional.of(until))
                    .thenAccept(version -> {
                        if (version.isEmpty()) {
                            known.remove(dependency, until); // the store gave no answer: the next refusal tells again
                        }
                    });
        }
    }

    /** Each of these dependencies that shares its pauses keeps what the fleet knows. */
    void keep(Map<String, Outbound> outbounds) {
        Map<String, FleetSettings.Setting> told = settings.snapshot().settings();
        outbounds.forEach((name, outbound) -> {
            FleetSettings.Setting setting = told.get(PREFIX + name);
            if (setting != null
                    && setting.until().isPresent()
                    && outbound.settings().sharedPause()) {
                Instant until = setting.until().get();
                if (!until.equals(known.put(name, until))) {
                    outbound.pause(Duration.between(settings.now(), until));
                }
            }
        });
    }
}
