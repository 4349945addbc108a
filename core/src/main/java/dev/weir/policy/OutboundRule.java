package dev.weir.policy;

import dev.weir.client.OutboundSettings;
import java.util.List;
import java.util.Locale;

/**
 * A dependency that a policy speaks of: how it is asked, and which hosts it is.
 *
 * @param settings how it is asked
 * @param hosts its hosts in any case, without port; {@code *.example.com} is every name below it; none when programs name it themselves
 */
public record OutboundRule(OutboundSettings settings, List<String> hosts) {

    /** Keeps a copy of the hosts. */
    public OutboundRule {
        hosts = List.copyOf(hosts);
    }

    /** A dependency that programs name. */
    public static OutboundRule of(OutboundSettings settings) {
        return new OutboundRule(settings, List.of());
    }

    /** What the dependency is called. */
    public String name() {
        return settings.name();
    }

    /** Whether calls to this host are calls to it. */
    public boolean has(String host) {
        return Match.isHostOf(hosts, host.toLowerCase(Locale.ROOT));
    }
}
