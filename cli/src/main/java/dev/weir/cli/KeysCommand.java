package dev.weir.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code weir keys}: who is counted by a running gateway, and forgetting one. */
@Command(
        name = "keys",
        description = "List the busiest keys of each limit of a running gateway, or forget what one has used.",
        footer = {"", "Example:", "  weir keys --admin http://127.0.0.1:9090 --clear acme"})
final class KeysCommand implements Callable<Integer> {

    @Option(names = "--admin", required = true, paramLabel = "URL", description = "Where gateway.admin listens.")
    private String admin = "";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:WEIR_WRITE_TOKEN}",
            description =
                    "The read token, or with --clear the write token; default: the environment's WEIR_WRITE_TOKEN.")
    private @Nullable String token;

    @Option(
            names = "--clear",
            paramLabel = "KEY",
            description = "Forget what this key has used of the limits that the fleet counts.")
    private @Nullable String clear;

    @Option(names = "--json", description = "Print it as JSON.")
    private boolean json;

    private final Streams streams;

    KeysCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() {
        AdminClient client = new AdminClient(admin, token);
        if (clear != null) {
            forget(client, clear);
        } else {
            list(client);
        }
        return Main.OK;
    }

    private void forget(AdminClient client, String key) {
        JsonNode answer = client.ask("DELETE", "/keys/" + AdminClient.encoded(key), Map.of());
        if (json) {
            Json.print(streams.out(), answer);
            return;
        }
        streams.out().println("forgotten by " + names(answer.get("forgotten")));
        if (!answer.get("kept").isEmpty()) {
            streams.out().println("not by " + names(answer.get("kept")) + ", which each instance counts for itself");
        }
    }

    private static String names(JsonNode names) {
        return names.isEmpty()
                ? "no limit"
                : String.join(", ", names.valueStream().map(JsonNode::asString).toList());
    }

    private void list(AdminClient client) {
        JsonNode limits = client.ask("GET", "/limits", Map.of("limit", "1000")).get("limits");
        for (JsonNode limit : limits) {
            String name = limit.get("name").asString();
            JsonNode busiest = client.ask("GET", "/limits/" + AdminClient.encoded(name) + "/keys", Map.of());
            if (json) {
                Json.print(streams.out(), busiest);
                continue;
            }
            streams.out().println(name);
            for (JsonNode key : busiest.get("keys")) {
                streams.out()
                        .println("  " + key.get("key").asString() + "  "
                                + key.get("decisions").asLong() + " decisions, "
                                + key.get("refusals").asLong() + " refused");
            }
        }
    }
}
