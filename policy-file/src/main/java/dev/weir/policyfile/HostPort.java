package dev.weir.policyfile;

import dev.weir.policy.AddressRange;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host and perhaps a port, as addresses and URLs have them.
 *
 * @param host a name or an address, IPv6 without its brackets
 */
record HostPort(String host, OptionalInt port) {

    /** What a host without brackets consists of. */
    static final String NAME =
            "[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?(?:\\.[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?)*";
    /** What stands in brackets, and they. */
    static final String IPV6 = "\\[[0-9A-Fa-f:.]+\\]";

    static final int MAX_PORT = 65_535;

    private static final Pattern FORM = Pattern.compile("(?:(" + NAME + ")|(" + IPV6 + "))(?::([0-9]{1,9}))?");
    /** A name of 253 characters, a colon and a port. */
    static final int LONGEST = 259;
    /** Where a connection from this machine to this machine arrives. */
    private static final List<AddressRange> HERE =
            List.of(range("127.0.0.1"), range("::1"), range("0.0.0.0"), range("::"));

    /** Reads it. Throws {@link IllegalArgumentException} with what is wrong; names are not looked up. */
    static HostPort parse(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("the host is longer than " + LONGEST + " characters");
        }
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "'" + Value.shown(text)
                            + "' is not HOST:PORT: a host is a name or an address, IPv6 in brackets and all of it in quotes, such as \"[::1]:8080\"");
        }
        String host = form.group(1) != null
                ? form.group(1)
                : form.group(2).substring(1, form.group(2).length() - 1);
        if (host.matches("[0-9]+")) {
            throw new IllegalArgumentException("'" + Value.shown(text) + "' has no host: say 127.0.0.1:" + host
                    + " for callers on this machine, or 0.0.0.0:" + host + " for all");
        }
        if (form.group(1) == null || host.matches("[0-9.]+")) {
            requireAddress(host);
        }
        if (form.group(3) == null) {
            return new HostPort(host, OptionalInt.empty());
        }
        int port = Integer.parseInt(form.group(3));
        if (port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + " is above " + MAX_PORT + ", the highest there is");
        }
        return new HostPort(host, OptionalInt.of(port));
    }

    /** Whether a connection to the one comes in at a listener on the other, as far as can be told without looking names up. */
    static boolean meet(String oneHost, int onePort, String otherHost, int otherPort) {
        return onePort == otherPort
                && onePort != 0
                && (oneHost.equalsIgnoreCase(otherHost) || (isHere(oneHost) && isHere(otherHost)));
    }

    private static boolean isHere(String host) {
        return host.equalsIgnoreCase("localhost") || HERE.stream().anyMatch(range -> range.contains(host));
    }

    private static void requireAddress(String host) {
        try {
            range(host);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + Value.shown(host) + "' is not an IP address such as 127.0.0.1 or ::1", e);
        }
    }

    private static AddressRange range(String address) {
        return AddressRange.parse(address);
    }
}
