package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policyfile.GatewaySettings.Scheme;
import dev.weir.policyfile.GatewaySettings.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When calls are sent to an address, on a clock of our own. */
class UpstreamAddressTest {

    private static final long SECOND = UpstreamAddress.REST_NANOS;

    private final UpstreamAddress address = new UpstreamAddress(new Target(Scheme.HTTP, "127.0.0.1", 1));

    @Test
    void anAddressIsWellUntilAConnectionFails() {
        assertThat(address.isWell(0)).isTrue();
        address.failed(0);
        assertThat(address.isWell(0)).isFalse();
        assertThat(address.isWell(SECOND - 1)).isFalse();
        assertThat(address.isWell(SECOND)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -5, Long.MAX_VALUE - 10, Long.MIN_VALUE})
    void oneCallTriesItAfterEachRest(long failedAt) {
        address.failed(failedAt);
        for (int rest = 1; rest <= 5; rest++) {
            long now = failedAt + rest * SECOND;
            assertThat(address.isWell(now)).isTrue();
            assertThat(address.mayTry(now)).isTrue();
            assertThat(address.isWell(now)).as("to the next call").isFalse();
            assertThat(address.isWell(now + SECOND - 1)).isFalse();
        }
    }

    @Test
    void aCallThatSawTheSameRestEndLosesToTheOneThatTries() throws Exception {
        address.failed(0);
        int callers = 8;
        AtomicInteger won = new AtomicInteger();
        CyclicBarrier start = new CyclicBarrier(callers);
        List<Thread> threads = new ArrayList<>();
        for (int caller = 0; caller < callers; caller++) {
            threads.add(new Thread(() -> {
                try {
                    start.await();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                if (address.isWell(SECOND) && address.mayTry(SECOND)) {
                    won.incrementAndGet();
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(won).hasValue(1);
    }

    @Test
    void whenNoOtherIsWellARestingAddressIsTried() {
        address.failed(0);
        assertThat(address.mayTry(1)).isTrue();
        assertThat(address.mayTry(1)).isTrue();
    }

    @Test
    void aConnectionEndsTheRest() {
        address.failed(0);
        address.connected();
        assertThat(address.isWell(1)).isTrue();
        assertThat(address.mayTry(SECOND)).isTrue();
        assertThat(address.isWell(SECOND)).isTrue();
    }

    @Test
    void twoFailedChecksAreIllAndOnePassedIsWell() {
        address.checked(false);
        assertThat(address.isWell(0)).isTrue();
        address.checked(false);
        assertThat(address.isWell(0)).isFalse();
        address.failed(0);
        address.checked(true);
        assertThat(address.isWell(0)).isTrue();
    }
}
