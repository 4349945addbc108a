package dev.weir.policy;

/**
 * A range of IP addresses in CIDR notation (RFC 4632 section 3.1, RFC 4291 section 2.3). Immutable.
 *
 * <p>IPv4-mapped IPv6 addresses and ranges are IPv4, so {@code ::ffff:10.0.0.0/104} and {@code 10.0.0.0/8} are one range. Apart from that
 * the two families do not mix: {@code ::/0} is every IPv6 address and no IPv4 one.
 */
public final class AddressRange {

    private final Address base;
    private final int bits;
    private final boolean v4;

    private AddressRange(Address base, int bits, boolean v4) {
        this.base = base;
        this.bits = bits;
        this.v4 = v4;
    }

    /**
     * Reads {@code 10.0.0.0/8}, {@code 2001:db8::/32} or a single address. Names are not looked up. Throws {@link
     * IllegalArgumentException}, saying what is allowed, for anything else, for a zone, and for a range whose address has bits set behind
     * its prefix: {@code 10.1.2.3/8} may mean the one or the other.
     */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        String addressText = slash < 0 ? text : text.substring(0, slash);
        int zone = addressText.indexOf('%');
        if (zone >= 0) {
            throw new IllegalArgumentException("'" + text
                    + "' names a zone, which has a meaning on one machine only: leave '" + addressText.substring(zone)
                    + "' out");
        }
        Address address = Address.parse(addressText)
                .orElseThrow(() -> new IllegalArgumentException("'" + text
                        + "' is not a range of addresses: an IPv4 or IPv6 address (no name, no leading zeros), alone or with a prefix"
                        + " length, such as 10.0.0.0/8 or 2001:db8::/32"));
        boolean v4 = address.isV4();
        boolean mapped = v4 && addressText.indexOf(':') >= 0;
        int most = v4 && !mapped ? 32 : 128;
        int length = slash < 0 ? most : length(text, text.substring(slash + 1), most);
        if (mapped && length < Address.V4_OFFSET_BITS) {
            throw new IllegalArgumentException(
                    "'" + text + "' is the IPv4 address " + address + " under a prefix of IPv6: say " + address + "/"
                            + Math.min(length, 32) + " or a prefix from 96 to 128");
        }
        int bits = v4 && !mapped ? length + Address.V4_OFFSET_BITS : length;
        Address base = address.prefix(bits);
        if (!base.equals(address)) {
            throw new IllegalArgumentException("'" + text + "' has bits set behind its prefix: say "
                    + new AddressRange(base, bits, v4) + " for the range or " + address + " for the one address");
        }
        return new AddressRange(base, bits, v4);
    }

    private static int length(String text, String digits, int most) {
        boolean number = !digits.isEmpty()
                && digits.length() <= 3
                && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                && (digits.length() == 1 || digits.charAt(0) != '0');
        if (!number || Integer.parseInt(digits) > most) {
            throw new IllegalArgumentException(
                    "'" + text + "': the prefix length '" + digits + "' is not a whole number from 0 to " + most);
        }
        return Integer.parseInt(digits);
    }

    /**
     * Whether the literal address lies within. False for anything that is not an address. IPv4-mapped addresses count as IPv4, a zone is
     * ignored.
     */
    public boolean contains(String address) {
        return Address.parse(address).filter(this::contains).isPresent();
    }

    /** Whether the address lies within. */
    boolean contains(Address address) {
        return address.isV4() == v4 && address.sharesPrefix(base, bits);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressRange that && bits == that.bits && v4 == that.v4 && base.equals(that.base);
    }

    @Override
    public int hashCode() {
        return 31 * base.hashCode() + bits;
    }

    /** The canonical text: {@code 10.0.0.0/8}, {@code 2001:db8::/32}; a range of one address is the address alone. */
    @Override
    public String toString() {
        if (bits == 128) {
            return base.toString();
        }
        return base + "/" + (v4 ? bits - Address.V4_OFFSET_BITS : bits);
    }
}
