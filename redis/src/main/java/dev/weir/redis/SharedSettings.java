package dev.weir.redis;

import dev.weir.rate.FleetSettings;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The fleet's settings in one hash. Whoever changes one raises its version and publishes it; who hears of another version than its own reads
 * everything. Notices can get lost, so every instance also looks by itself, every half second. Thread safe.
 */
final class SharedSettings implements FleetSettings {

    private final Route route;
    private final StoreClock clock;
    private final byte[][] keys;
    private final byte[] channel;
    private final String name;
    private final List<Consumer<Snapshot>> listeners = new CopyOnWriteArrayList<>();
    private volatile Snapshot known = new Snapshot(0, Map.of());

    SharedSettings(Route route, Names names, StoreClock clock) {
        this.route = route;
        this.clock = clock;
        this.name = names.settings();
        this.keys = new byte[][] {Words.bytes(names.settings())};
        this.channel = Words.bytes(names.settings());
    }

    byte[] channel() {
        return channel.clone();
    }

    @Override
    public CompletionStage<Optional<Long>> put(String name, String value, Optional<Instant> until) {
        FleetSettings.requireSetting(name, value);
        long untilMicros = until.map(SharedSettings::micros).orElse(0L);
        return change(new Words(7)
                .add(clock.word())
                .add(channel)
                .add("put")
                .add(name)
                .add(untilMicros)
                .add(value)
                .add(MAX_SETTINGS));
    }

    private static long micros(Instant instant) {
        return Math.max(1, instant.getEpochSecond() * 1_000_000L + instant.getNano() / 1_000);
    }

    @Override
    public Instant now() {
        return instant(clock.micros());
    }

    @Override
    public CompletionStage<Optional<Long>> remove(String name) {
        return change(new Words(4).add(clock.word()).add(channel).add("remove").add(name));
    }

    private CompletionStage<Optional<Long>> change(Words args) {
        CompletableFuture<Optional<Long>> done = new CompletableFuture<>();
        route.run(route.slot(name), Script.SETTINGS, keys, args.toArray(), (value, error) -> {
            Optional<Long> version = error != null || value == null
                    ? Optional.empty()
                    : Optional.of(number(((List<?>) value).get(0))).filter(v -> v > 0);
            if (version.isPresent()) {
                look();
            }
            done.complete(version);
        });
        return done;
    }

    /** Reads everything if there is anything new. */
    void look() {
        Words args = new Words(4).add(clock.word()).add(channel).add("look").add(known.version());
        route.run(route.slot(name), Script.SETTINGS, keys, args.toArray(), this::looked);
    }

    private void looked(@Nullable Object value, @Nullable Throwable error) {
        if (error != null || !(value instanceof List<?> words) || words.size() < 2) {
            return;
        }
        Map<String, Setting> settings = new HashMap<>();
        for (int i = 2; i + 1 < words.size(); i += 2) {
            settings.put(text(words.get(i)), setting(text(words.get(i + 1))));
        }
        Snapshot news = new Snapshot(number(words.get(0)), Map.copyOf(settings));
        synchronized (this) {
            if (news.version() == known.version()) {
                return;
            }
            known = news;
        }
        listeners.forEach(listener -> listener.accept(news));
    }

    private static Setting setting(String stored) {
        int space = stored.indexOf(' ');
        long until = Long.parseLong(stored.substring(0, space));
        return new Setting(stored.substring(space + 1), until == 0 ? Optional.empty() : Optional.of(instant(until)));
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
    }

    private static long number(Object word) {
        return Long.parseLong(text(word));
    }

    private static String text(Object word) {
        return new String((byte[]) word, StandardCharsets.UTF_8);
    }

    @Override
    public Snapshot snapshot() {
        Snapshot all = known;
        long now = clock.micros();
        Map<String, Setting> holding = new HashMap<>(all.settings());
        holding.values()
                .removeIf(setting ->
                        setting.until().isPresent() && micros(setting.until().get()) <= now);
        return new Snapshot(all.version(), Map.copyOf(holding));
    }

    @Override
    public void onChange(Consumer<Snapshot> listener) {
        listeners.add(listener);
    }
}
