package dev.weir.gateway;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/** WebSocket, the one protocol that a connection may change to on its way through. */
final class Upgrade {

    private static final String WEBSOCKET = "websocket";

    private Upgrade() {}

    /** Whether a request asks for it; any other upgrade is not passed on. */
    static boolean isAsked(HttpServerRequest request) {
        MultiMap fields = request.headers();
        return request.version() == HttpVersion.HTTP_1_1
                && request.method().equals(HttpMethod.GET)
                && WEBSOCKET.equalsIgnoreCase(fields.get(FieldNames.UPGRADE))
                && HopByHop.namedByConnection(fields).contains("upgrade")
                && !fields.contains(HttpHeaders.CONTENT_LENGTH)
                && !fields.contains(HttpHeaders.TRANSFER_ENCODING);
    }

    /** Asks the upstream for it, or tells the client of its consent. */
    static void write(MultiMap to) {
        to.set("Upgrade", WEBSOCKET).set("Connection", "Upgrade");
    }
}
