package dev.weir.policy;

import java.util.List;
import java.util.Optional;

/**
 * Whom to believe about who is calling.
 *
 * @param trustedProxies peers whose identity, deadline and criticality headers are believed; none by default
 * @param clientIp where a client's address is read
 * @param ipv4Prefix how many bits of an IPv4 address make one caller, 1 to 32
 * @param ipv6Prefix how many bits of an IPv6 address make one caller, 1 to 128
 * @param secret hashes keys in stores and in the partition key of the RateLimit fields; without one no partition key is sent
 */
public record Identity(
        List<AddressRange> trustedProxies, ClientIp clientIp, int ipv4Prefix, int ipv6Prefix, Optional<String> secret) {

    /** Nobody is trusted, the peer is the client, IPv6 callers are counted per /64. */
    public static final Identity DEFAULT = new Identity(List.of(), ClientIp.PEER, 32, 64, Optional.empty());

    /** Refuses prefixes outside their address, and an empty secret. */
    public Identity {
        trustedProxies = List.copyOf(trustedProxies);
        if (ipv4Prefix < 1 || ipv4Prefix > 32) {
            throw new IllegalArgumentException("ipv4-prefix " + ipv4Prefix + " is not from 1 to 32");
        }
        if (ipv6Prefix < 1 || ipv6Prefix > 128) {
            throw new IllegalArgumentException("ipv6-prefix " + ipv6Prefix + " is not from 1 to 128");
        }
        if (secret.filter(String::isEmpty).isPresent()) {
            throw new IllegalArgumentException("the secret is empty: leave it out, or set one");
        }
    }

    /** Whether this peer's headers about identity are believed. */
    public boolean trusts(String peer) {
        return !trustedProxies.isEmpty()
                && Address.parse(peer).filter(this::trusts).isPresent();
    }

    /** Whether this peer's headers about identity are believed. */
    boolean trusts(Address peer) {
        for (AddressRange range : trustedProxies) {
            if (range.contains(peer)) {
                return true;
            }
        }
        return false;
    }
}
