package dev.weir.policy;

import java.util.List;

/** Who the client is. */
public final class ClientAddress {
    private ClientAddress() {}

    static String of(Identity identity, String peer, List<String> xForwardedFor, List<String> forwarded) {
        return peer;
    }

    static String prefix(Identity identity, String address) {
        return address;
    }
}
