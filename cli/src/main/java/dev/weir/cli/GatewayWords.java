package dev.weir.cli;

import dev.weir.policyfile.GatewaySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a gateway does, in the words of the policy file; never its tokens. */
final class GatewayWords {

    private GatewayWords() {}

    /** Where it is reached and what it tells. */
    static Map<String, Object> settings(GatewaySettings gateway) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put(
                "listen",
                gateway.listen().address()
                        + gateway.listen()
                                .tls()
                                .map(tls -> ", tls certificate " + tls.certificate() + ", key " + tls.key())
                                .orElse(""));
        settings.put(
                "admin",
                gateway.admin().address()
                        + (gateway.admin().readToken().isPresent() ? ", reads need a token" : ", reads are open")
                        + (gateway.admin().writeToken().isPresent() ? ", changes need a token" : ", no changes"));
        settings.put("access-log", gateway.accessLog().policyName());
        gateway.debugHeader().ifPresent(name -> settings.put("debug", name));
        return settings;
    }

    /** Where a call goes. */
    static Map<String, Object> route(Optional<GatewaySettings.Route> route) {
        Map<String, Object> words = new LinkedHashMap<>();
        if (route.isEmpty()) {
            words.put("route", "none: the gateway does not forward this call");
            return words;
        }
        GatewaySettings.Upstream upstream = route.get().upstream();
        words.put("route", route.get().name());
        words.put("match", PolicyWords.match(route.get().match()));
        words.put("upstream", upstream.targets().stream().map(Object::toString).collect(Collectors.joining(", ")));
        words.put(
                "timeouts",
                "connect " + text(upstream.connect()) + ", response " + text(upstream.response()) + ", idle "
                        + text(upstream.idle()));
        route.get().outbound().ifPresent(name -> words.put("outbound", name));
        upstream.health().ifPresent(health -> words.put("health", health.path() + " every " + text(health.every())));
        upstream.tls().ifPresent(tls -> words.put("tls", text(tls)));
        return words;
    }

    private static String text(GatewaySettings.UpstreamTls tls) {
        List<String> parts = new ArrayList<>();
        tls.ca().ifPresent(file -> parts.add("ca " + file));
        tls.certificate().ifPresent(file -> parts.add("certificate " + file));
        tls.key().ifPresent(file -> parts.add("key " + file));
        parts.add("verify-host " + (tls.verifyHost() ? "yes" : "no"));
        return String.join(", ", parts);
    }

    private static String text(Duration duration) {
        long millis = duration.toMillis();
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
}
