package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BusiestTest {

    private final Busiest busiest = new Busiest();

    private void add(String key, int times, boolean refused) {
        for (int i = 0; i < times; i++) {
            busiest.add(key, refused);
        }
    }

    @Test
    void whoComesMostStandsFirst() {
        add("seldom", 1, false);
        add("often", 3, false);
        add("refused", 2, true);

        assertThat(busiest.top(10))
                .containsExactly(
                        new Busiest.Entry("often", 3, 0, 0),
                        new Busiest.Entry("refused", 2, 2, 0),
                        new Busiest.Entry("seldom", 1, 0, 0));
        assertThat(busiest.top(1)).hasSize(1);
    }

    @Test
    void aBusyKeyIsNotLostInAFloodOfStrangers() {
        for (int i = 0; i < 10_000; i++) {
            busiest.add("stranger " + i, false);
            add("busy", i % 10 == 0 ? 1 : 0, false);
        }

        Busiest.Entry first = busiest.top(1).get(0);
        assertThat(first.key()).isEqualTo("busy");
        assertThat(first.decisions()).isGreaterThanOrEqualTo(1_000);
        assertThat(first.decisions() - first.atMostTooHigh()).isLessThanOrEqualTo(1_000);
    }

    @Test
    void noMoreThanAHundredAreTold() {
        for (int i = 0; i < 500; i++) {
            busiest.add("key " + i, false);
        }

        assertThat(busiest.top(1_000)).hasSize(Busiest.TOP);
    }

    @Test
    void whatIsTwoPeriodsOldIsForgotten() {
        add("old", 1, false);
        busiest.turn();
        add("old", 1, false);
        assertThat(busiest.top(1)).containsExactly(new Busiest.Entry("old", 2, 0, 0));

        busiest.turn();
        busiest.turn();

        assertThat(busiest.top(1)).isEmpty();
    }

    @Test
    void keysThatAreTooLongAreNotKept() {
        busiest.add("x".repeat(Busiest.MAX_KEY_CHARS + 1), true);

        assertThat(busiest.top(1)).isEmpty();
    }
}
