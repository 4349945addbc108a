package dev.weir.policy;

import java.util.Optional;

/**
 * An IP address, read from its text and from nothing else: no name is ever looked up.
 *
 * <p>All addresses are kept as 128 bits. An IPv4 address is kept as its IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2), so {@code
 * 10.1.2.3}, {@code ::ffff:10.1.2.3} and {@code ::ffff:a01:203} are one value. Immutable.
 */
final class Address {

    /** Bits before the IPv4 part of a mapped address. */
    static final int V4_OFFSET_BITS = 96;

    private static final int GROUPS = 8;
    /** Eight groups of four digits with their colons need 39 characters; six of them and a dotted quad need 45. */
    private static final int MAX_CHARS = 45;

    private static final long NO_QUAD = -1;

    private final long high;
    private final long low;

    private Address(long high, long low) {
        this.high = high;
        this.low = low;
    }

    /** Reads a whole text. As {@link #parse(String, int, int)}. */
    static Optional<Address> parse(String text) {
        return parse(text, 0, text.length());
    }

    /**
     * Reads the characters from {@code start} up to {@code end}: a dotted quad in decimal without leading zeros ({@code 010.1.1.1} means
     * ten to one reader and eight to another, so it is no address), or an IPv6 address (RFC 4291 section 2.2), whose zone, if any, is left
     * out: it has a meaning on one machine only. Brackets and ports are no part of an address. Empty for anything else; never throws.
     */
    static Optional<Address> parse(String text, int start, int end) {
        for (int at = start; at < end; at++) {
            char c = text.charAt(at);
            if (c == ':') {
                int zone = text.indexOf('%', at);
                if (zone < 0 || zone >= end) {
                    return v6(text, start, end);
                }
                return zone + 1 == end ? Optional.empty() : v6(text, start, zone);
            }
            if (c == '.') {
                break;
            }
        }
        long quad = quad(text, start, end);
        return quad == NO_QUAD ? Optional.empty() : Optional.of(new Address(0, 0xffff_0000_0000L | quad));
    }

    /** Whether this text of an address is a dotted quad, which is written in one way only. */
    static boolean isQuad(String address) {
        return address.indexOf(':') < 0;
    }

    private static long quad(String text, int start, int end) {
        if (end - start > 15) {
            return NO_QUAD;
        }
        long quad = 0;
        int at = start;
        for (int part = 0; part < 4; part++) {
            if (part > 0) {
                if (at >= end || text.charAt(at) != '.') {
                    return NO_QUAD;
                }
                at++;
            }
            int first = at;
            int value = 0;
            while (at < end && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                value = value * 10 + text.charAt(at) - '0';
                at++;
                if (value > 255) {
                    return NO_QUAD;
                }
            }
            boolean leadingZero = at - first > 1 && text.charAt(first) == '0';
            if (at == first || leadingZero) {
                return NO_QUAD;
            }
            quad = quad << 8 | value;
        }
        return at == end ? quad : NO_QUAD;
    }

    private static Optional<Address> v6(String text, int start, int end) {
        if (end - start < 2 || end - start > MAX_CHARS) {
            return Optional.empty();
        }
        long high = 0;
        long low = 0;
        int groups = 0;
        boolean gap = false;
        int headGroups = 0;
        long headHigh = 0;
        long headLow = 0;
        int at = start;
        if (text.charAt(at) == ':') {
            if (text.charAt(at + 1) != ':') {
                return Optional.empty();
            }
            gap = true;
            at += 2;
        }
        while (at < end) {
            int stop = at;
            long value = 0;
            while (stop < end && Character.digit(text.charAt(stop), 16) >= 0 && text.charAt(stop) < 0x80) {
                value = value << 4 | Character.digit(text.charAt(stop), 16);
                stop++;
            }
            int width = 1;
            if (stop < end && text.charAt(stop) == '.') {
                value = quad(text, at, end);
                if (value == NO_QUAD) {
                    return Optional.empty();
                }
                width = 2;
                stop = end;
            } else if (stop == at || stop - at > 4) {
                return Optional.empty();
            }
            groups += width;
            if (headGroups + groups > GROUPS) {
                return Optional.empty();
            }
            int bits = 16 * width;
            high = high << bits | low >>> (64 - bits);
            low = low << bits | value;
            at = stop;
            if (at == end) {
                break;
            }
            if (text.charAt(at) != ':' || at + 1 == end) {
                return Optional.empty();
            }
            at++;
            if (text.charAt(at) == ':') {
                if (gap) {
                    return Optional.empty();
                }
                gap = true;
                headGroups = groups;
                headHigh = high;
                headLow = low;
                groups = 0;
                high = 0;
                low = 0;
                at++;
            }
        }
        if (gap ? headGroups + groups >= GROUPS : groups != GROUPS) {
            return Optional.empty();
        }
        int shift = 16 * (GROUPS - headGroups);
        if (shift >= 64) {
            high |= shift >= 128 ? 0 : headLow << (shift - 64);
        } else {
            high |= headHigh << shift | headLow >>> (64 - shift);
            low |= headLow << shift;
        }
        return Optional.of(new Address(high, low));
    }

    /** Whether this is an IPv4 address, however it was written. */
    boolean isV4() {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /** Whether the first {@code bits} of 128 are those of {@code other}. */
    boolean sharesPrefix(Address other, int bits) {
        return ((high ^ other.high) & highMask(bits)) == 0 && ((low ^ other.low) & lowMask(bits)) == 0;
    }

    /** This address with everything behind the first {@code bits} of 128 set to zero. */
    Address prefix(int bits) {
        return new Address(high & highMask(bits), low & lowMask(bits));
    }

    private static long highMask(int bits) {
        return bits >= 64 ? -1 : bits == 0 ? 0 : -1L << (64 - bits);
    }

    private static long lowMask(int bits) {
        return bits <= 64 ? 0 : -1L << (128 - bits);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Address that && high == that.high && low == that.low;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(high) + Long.hashCode(low);
    }

    /** The one canonical text: a dotted quad for IPv4, RFC 5952 section 4 for IPv6. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(MAX_CHARS);
        if (isV4()) {
            for (int shift = 24; shift >= 0; shift -= 8) {
                text.append(low >>> shift & 0xff).append(shift == 0 ? "" : ".");
            }
            return text.toString();
        }
        int gapStart = GROUPS;
        int gapGroups = 1;
        for (int from = 0; from < GROUPS; from++) {
            int to = from;
            while (to < GROUPS && group(to) == 0) {
                to++;
            }
            if (to - from > gapGroups) {
                gapStart = from;
                gapGroups = to - from;
            }
        }
        for (int at = 0; at < GROUPS; at++) {
            if (at == gapStart) {
                text.append("::");
                at += gapGroups - 1;
            } else {
                boolean first = at == 0 || at == gapStart + gapGroups;
                text.append(first ? "" : ":").append(Integer.toHexString(group(at)));
            }
        }
        return text.toString();
    }

    private int group(int index) {
        return (int) ((index < 4 ? high : low) >>> (48 - 16 * (index & 3)) & 0xffff);
    }
}
