package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventLoopDelayTest {

    @Test
    void theLatestLoopCountsUntilItComesInTime() {
        EventLoopDelay delay = new EventLoopDelay(2, 100);
        assertThat(delay.value()).isZero();
        delay.cameBy(0, 100);
        delay.cameBy(1, 160);
        assertThat(delay.value()).isEqualTo(60);
        delay.cameBy(0, 130);
        assertThat(delay.value()).isEqualTo(60);
        delay.cameBy(1, 90);
        assertThat(delay.value()).isEqualTo(30);
        assertThat(delay.name()).isEqualTo("event-loop");
    }
}
