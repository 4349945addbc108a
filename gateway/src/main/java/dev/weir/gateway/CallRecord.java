package dev.weir.gateway;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** What is remembered of one call until its line is written. Used on one event loop. */
final class CallRecord {

    /** How a call ended. */
    enum Ended {
        WHOLE,
        REFUSED,
        CLIENT_LEFT,
        CLIENT_SLOW,
        UPSTREAM_FAILED,
        UPSTREAM_TIMEOUT
    }

    final String requestId;
    final String peer;
    final boolean trustedPeer;
    final String client;
    final String scheme;
    /** The method, the target and the version of its first line; null when that could not be read. */
    final @Nullable String method;

    final @Nullable String target;
    final @Nullable String version;
    final long startNanos;
    final long startEpochMillis;
    private final MultiMap fields;

    /** Which host was asked for in HTTP/2, where no field need say it. */
    @Nullable
    String authority;

    @Nullable
    String route;

    @Nullable
    String upstream;
    /** Why it was refused; null when it was not. */
    @Nullable
    String reason;
    /** Whether it was let in, whatever became of it then. */
    boolean letIn;

    /** How long it waited before it was let in. */
    long waitedNanos;

    /** In which cheaper ways it was to be served; null: in full. */
    @Nullable
    String degrade;

    /** Whether a limit of the fleet was decided without its store. */
    boolean withoutStore;

    /** The limit that refused it. */
    @Nullable
    String limit;

    Ended ended = Ended.WHOLE;
    int status;
    long bodyBytes;
    long durationNanos;

    CallRecord(
            String requestId,
            String peer,
            boolean trustedPeer,
            String client,
            String scheme,
            @Nullable String method,
            @Nullable String target,
            @Nullable String version,
            long startNanos,
            long startEpochMillis,
            MultiMap fields) {
        this.requestId = requestId;
        this.peer = peer;
        this.trustedPeer = trustedPeer;
        this.client = client;
        this.scheme = scheme;
        this.method = method;
        this.target = target;
        this.version = version;
        this.startNanos = startNanos;
        this.startEpochMillis = startEpochMillis;
        this.fields = fields;
    }

    @Nullable
    String host() {
        return authority != null ? authority : fields.get(HttpHeaders.HOST);
    }

    @Nullable
    String referer() {
        return fields.get(HttpHeaders.REFERER);
    }

    @Nullable
    String userAgent() {
        return fields.get(HttpHeaders.USER_AGENT);
    }
}
