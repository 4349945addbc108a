package dev.weir.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code weir set}: changes a setting of a limit while gateways run. */
@Command(
        name = "set",
        description = "Change a setting of a limit while gateways run: on all that share a store.",
        footer = {
            "",
            "FIELD is rate, burst, quota, in-flight, mode, key:KEY or plan:NAME; VALUE is as in a policy file,",
            "or - to let the policy file decide again.",
            "",
            "Example:",
            "  weir set --admin http://127.0.0.1:9090 partners key:acme '50/s burst 100' --until 2030-12-31 --why 'load test'"
        })
final class SetCommand implements Callable<Integer> {

    @Option(names = "--admin", required = true, paramLabel = "URL", description = "Where gateway.admin listens.")
    private String admin = "";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:WEIR_WRITE_TOKEN}",
            description = "The write token; default: the environment's WEIR_WRITE_TOKEN.")
    private @Nullable String token;

    @Option(names = "--until", paramLabel = "WHEN", description = "A date or an instant; default: until removed.")
    private @Nullable String until;

    @Option(names = "--why", paramLabel = "TEXT", description = "The reason, for people; needed to set a value.")
    private @Nullable String why;

    @Option(names = "--json", description = "Print it as JSON.")
    private boolean json;

    @Parameters(index = "0", paramLabel = "LIMIT", description = "The limit's name.")
    private String limit = "";

    @Parameters(index = "1", paramLabel = "FIELD", description = "Which setting.")
    private String field = "";

    @Parameters(index = "2", paramLabel = "VALUE", description = "What it becomes.")
    private String value = "";

    private final Streams streams;

    SetCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() {
        AdminClient client = new AdminClient(admin, token);
        String path = "/overrides/" + AdminClient.encoded(limit) + "/" + AdminClient.encoded(field);
        JsonNode answer = value.equals("-") ? client.ask("DELETE", path, Map.of()) : client.ask("PUT", path, setting());
        if (json) {
            Json.print(streams.out(), answer);
        } else {
            streams.out()
                    .println(limit + "." + field
                            + (value.equals("-") ? " is what the policy file says" : " is " + value)
                            + "; policy version " + answer.get("policy_version").asInt() + " is in force there");
        }
        return Main.OK;
    }

    private Map<String, String> setting() {
        if (why == null) {
            throw new BadInput(
                    "--why is missing: say for others why " + limit + "." + field + " becomes " + value + ".");
        }
        Map<String, String> setting = new LinkedHashMap<>();
        setting.put("value", value);
        setting.put("why", why);
        if (until != null) {
            setting.put("until", until);
        }
        return setting;
    }
}
