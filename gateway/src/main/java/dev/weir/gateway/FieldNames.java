package dev.weir.gateway;

import io.vertx.core.http.HttpHeaders;

/** Names of fields that are looked up or written for every call: made once, since the engine's maps hash and check a plain string each time. */
final class FieldNames {

    static final CharSequence FORWARDED = HttpHeaders.createOptimized("Forwarded");
    static final CharSequence FORWARDED_FOR = HttpHeaders.createOptimized("X-Forwarded-For");
    static final CharSequence FORWARDED_HOST = HttpHeaders.createOptimized("X-Forwarded-Host");
    static final CharSequence FORWARDED_PROTO = HttpHeaders.createOptimized("X-Forwarded-Proto");
    static final CharSequence MAX_FORWARDS = HttpHeaders.createOptimized("Max-Forwards");
    static final CharSequence NONE = HttpHeaders.createOptimized("");
    static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("X-Request-Id");
    static final CharSequence TE = HttpHeaders.createOptimized("TE");
    static final CharSequence UPGRADE = HttpHeaders.createOptimized("Upgrade");
    static final CharSequence VIA = HttpHeaders.createOptimized("Via");

    private FieldNames() {}
}
