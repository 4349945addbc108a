package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the gateway says that calls should be sent elsewhere. */
class ReadinessTest {

    private static final long DEADLINE_SECONDS = 60;

    @TempDir
    Path folder;

    private AdminSetting setting;

    @BeforeEach
    void start() throws IOException, GatewayException {
        setting = new AdminSetting(folder, "127.0.0.1:0");
    }

    @AfterEach
    void stop() {
        setting.slowMayEnd.countDown();
        setting.close();
    }

    private HttpResponse<String> unready() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        HttpResponse<String> answer = setting.get("/readyz");
        while (answer.statusCode() == 200 && System.nanoTime() < deadline) {
            answer = setting.get("/readyz");
        }
        return answer;
    }

    @Test
    void whileCallsUnderWayEndTheAdminPortAnswersThatItDrains() throws Exception {
        CompletableFuture<Integer> slow = CompletableFuture.supplyAsync(() -> call("/slow"));
        assertThat(setting.slowIsThere.await(DEADLINE_SECONDS, TimeUnit.SECONDS))
                .isTrue();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(setting.gateway::close);

        HttpResponse<String> draining = unready();

        assertThat(draining.statusCode()).isEqualTo(503);
        assertThat(AdminSetting.json(draining).get("detail").asString()).isEqualTo("the gateway is draining");
        assertThat(setting.get("/healthz").statusCode()).isEqualTo(200);
        setting.slowMayEnd.countDown();
        assertThat(slow.get(DEADLINE_SECONDS, TimeUnit.SECONDS)).isEqualTo(200);
        closed.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void withoutAnUpstreamThatIsWellItIsNotReadyAndSaysWhichIsNot() throws Exception {
        setting.stopService();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        HttpResponse<String> answer;
        do {
            // An address rests for a second after a connection to it failed, and is tried again then.
            call("/free");
            answer = setting.get("/readyz");
        } while (answer.statusCode() == 200 && System.nanoTime() < deadline);

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(AdminSetting.json(answer).get("detail").asString()).contains("everything");
    }

    @Test
    void whoOpensThePortToOthersWithoutATokenIsWarned() throws Exception {
        setting.close();

        setting = new AdminSetting(folder, "0.0.0.0:0");

        assertThat(setting.events).anyMatch(event -> event.contains("gateway.admin") && event.contains("read-token"));
    }

    private int call(String path) {
        try {
            return setting.call(path, "a");
        } catch (IOException e) {
            throw new CompletionException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }
}
