package dev.weir.redis;

import static dev.weir.redis.Fleets.PATIENT;
import static dev.weir.redis.Fleets.key;
import static dev.weir.redis.Fleets.now;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rate.Algorithm;
import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rows that core's own limiters are held to, asked of a server. */
final class VectorsTest {

    private static final Path ROWS =
            Path.of("..", "core", "src", "test", "resources", "dev", "weir", "rate", "vectors.rows");

    private static RateLimit limit(String[] words) {
        RateLimit rate = RateLimit.parse(words[2]);
        if (words.length == 5 && words[3].equals("depth")) {
            return rate.depth(Long.parseLong(words[4]));
        }
        return (words.length == 5 ? rate.burst(Long.parseLong(words[4])) : rate)
                .algorithm(Algorithm.named(words[1]).orElseThrow());
    }

    @Test
    void rows() throws IOException {
        FakeMicros clock = new FakeMicros(0);
        int rows = 0;
        try (Server server = Server.start();
                RedisStore store =
                        RedisStore.start(RedisSettings.of(server.address()).timeout(PATIENT), clock)) {
            now(store.connected());
            List<String> lines = Files.readAllLines(ROWS);
            FleetCharge.Rate rate = null;
            String limit = "";
            for (int number = 1; number <= lines.size(); number++) {
                String[] words = lines.get(number - 1).split(" +", -1);
                if (words[0].equals("limit")) {
                    RateLimit given = limit(words);
                    // What never refills is refused as such: a store keeps no key for ever.
                    rate = given.count() == 0 ? null : new FleetCharge.Rate(given);
                    limit = "line-" + number;
                } else if (rate != null && !words[0].isBlank() && !words[0].startsWith("#")) {
                    new Row(number, List.of(words)).run(store, clock, limit, rate);
                    rows++;
                }
            }
        }
        assertThat(rows).isGreaterThan(500);
    }

    /** {@code now cost -> answer remaining wait reset}, times in milliseconds. */
    private record Row(int number, List<String> words) {

        private long micros(int word) {
            return Long.parseLong(words.get(word)) * 1_000;
        }

        void run(RedisStore store, FakeMicros clock, String limit, FleetCharge.Rate rate) {
            boolean asks = words.get(1).endsWith("?");
            long cost = Long.parseLong(words.get(1).replace("?", ""));
            FleetCharge charge = new FleetCharge(limit, key("key"), rate, cost, true);
            clock.advance(micros(0) - clock.getAsLong());
            Charged.Line line = asks ? peek(store, charge) : charged(now(store.charge(List.of(charge))));
            boolean told = !words.get(5).equals("-");
            switch (words.get(3)) {
                case "ok" -> {
                    assertThat(line.waitNanos()).as(at()).isEqualTo(RateTable.NOW);
                    assertThat(line.turnNanos()).as(at()).isEqualTo(told ? micros(5) * 1_000 : 0);
                }
                case "no" -> {
                    assertThat(line.waitNanos()).as(at()).isPositive();
                    if (told) {
                        assertThat(line.waitNanos()).as(at()).isEqualTo(micros(5) * 1_000);
                    }
                    isExact(store, clock, charge, line.waitNanos() / 1_000);
                }
                default -> assertThat(line.waitNanos()).as(at()).isEqualTo(RateTable.NEVER);
            }
            if (!words.get(4).equals("-")) {
                assertThat(line.standing().remaining()).as(at()).isEqualTo(Long.parseLong(words.get(4)));
            }
            if (!words.get(6).equals("-")) {
                assertThat(line.standing().resetNanos()).as(at()).hasValue(micros(6) * 1_000);
            }
        }

        private String at() {
            return "line " + number;
        }

        private static Charged.Line charged(Charged charged) {
            return (charged instanceof Charged.Granted granted ? granted.lines() : ((Charged.Refused) charged).lines())
                    .get(0);
        }

        private static Charged.Line peek(RedisStore store, FleetCharge charge) {
            return now(store.peek(List.of(charge))).orElseThrow().get(0);
        }

        /** After the wait it would pass, a microsecond earlier it would not. */
        private void isExact(RedisStore store, FakeMicros clock, FleetCharge charge, long waitMicros) {
            clock.advance(waitMicros - 1);
            assertThat(peek(store, charge).waitNanos()).as(at()).isEqualTo(1_000);
            clock.advance(1);
            assertThat(peek(store, charge).waitNanos()).as(at()).isEqualTo(RateTable.NOW);
            clock.advance(-waitMicros);
        }
    }
}
