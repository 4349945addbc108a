package dev.weir.gateway;

import dev.weir.policy.Call;
import dev.weir.policy.NormalPath;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request as the policy sees it. */
final class GatewayCall implements Call {

    private final HttpServerRequest request;
    private final RequestHead head;
    private final String path;
    private final String peer;
    private final String requestId;
    private @Nullable String route;

    GatewayCall(HttpServerRequest request, RequestHead head, String peer, String requestId) {
        this.request = request;
        this.head = head;
        this.peer = peer;
        this.requestId = requestId;
        path = NormalPath.of(NormalPath.pathOf(head.target()));
    }

    /** Says which route serves it; before the policy asks. */
    void route(String name) {
        route = name;
    }

    String requestId() {
        return requestId;
    }

    RequestHead head() {
        return head;
    }

    @Override
    public String method() {
        return request.method().name();
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public @Nullable String query() {
        return NormalPath.queryOf(head.target()).orElse(null);
    }

    @Override
    public List<String> headers(String name) {
        return request.headers().getAll(name);
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public @Nullable String host() {
        return head.host();
    }

    @Override
    public @Nullable String route() {
        return route;
    }
}
