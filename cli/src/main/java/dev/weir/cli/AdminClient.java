package dev.weir.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks the admin port of a running gateway. Whatever goes wrong there is a {@link BadInput} that says what to do. */
final class AdminClient {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HttpClient client = HttpClient.newHttpClient();
    private final String base;
    private final @Nullable String token;

    /**
     * A client of the port at that URL.
     *
     * @param token read or write token; null: none
     */
    AdminClient(String url, @Nullable String token) {
        if (!url.matches("https?://[^/?#]+/?")) {
            throw new BadInput("--admin '" + url + "' is no address: say http://HOST:PORT of gateway.admin.");
        }
        this.base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.token = token;
    }

    /** One segment of a path, or the value of a parameter. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The answer to a request without a body. */
    JsonNode ask(String method, String path, Map<String, String> query) {
        String asked = query.entrySet().stream()
                .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&", query.isEmpty() ? "" : "?", ""));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path + asked))
                .timeout(PATIENCE)
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> answer = sent(request.build());
        if (answer.statusCode() != 200) {
            throw new BadInput(base + " answered " + answer.statusCode() + ": " + detail(answer.body()));
        }
        return JsonMapper.shared().readTree(answer.body());
    }

    private HttpResponse<String> sent(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new BadInput("no gateway answers at " + base + " ("
                    + e.getClass().getSimpleName() + "): start one, or name its gateway.admin with --admin.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInput("interrupted while waiting for " + base + ".");
        }
    }

    private static String detail(String body) {
        try {
            return JsonMapper.shared().readTree(body).path("detail").asString();
        } catch (RuntimeException e) {
            return "an answer that is not Weir's";
        }
    }
}
