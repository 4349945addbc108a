package dev.weir.policy;

/** A range of IP addresses in CIDR notation. */
public final class AddressRange {
    /** Parses {@code 10.0.0.0/8}, {@code 2001:db8::/32} or a single address. Throws IllegalArgumentException saying what is wrong. */
    public static AddressRange parse(String text) {
        return new AddressRange();
    }

    /** Whether the literal address lies within. False for anything that is not an address. IPv4-mapped addresses count as IPv4. */
    public boolean contains(String address) {
        return false;
    }
}
