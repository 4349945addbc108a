package dev.weir.policyfile;

import dev.weir.policyfile.GatewaySettings.Scheme;
import dev.weir.policyfile.GatewaySettings.Target;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The URL of a server that calls are forwarded to: a scheme, a host and perhaps a port. */
final class TargetUrl {

    private static final Pattern FORM = Pattern.compile("([A-Za-z0-9+.-]+)://([^/?#]*)(.*)");

    private TargetUrl() {}

    /** Reads it. Throws {@link IllegalArgumentException} with what is wrong. */
    static Target parse(String text) {
        Matcher form = FORM.matcher(text);
        if (text.indexOf('@') >= 0) {
            throw new IllegalArgumentException(
                    "the URL holds a user: credentials of callers are forwarded as they came; leave it out");
        }
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + Value.shown(text) + "' is not " + Definitions.URL.grammar());
        }
        Scheme scheme = Definitions.SCHEMES.meanings().get(form.group(1));
        if (scheme == null) {
            throw new IllegalArgumentException(
                    "'" + Value.shown(form.group(1)) + "' is not a scheme that is forwarded to: "
                            + Definitions.SCHEMES.grammar()
                            + Nearest.hint(form.group(1), Definitions.SCHEMES.words()));
        }
        refuseRest(form.group(3));
        HostPort at = HostPort.parse(form.group(2));
        int port = at.port().orElse(scheme.defaultPort());
        if (port == 0) {
            throw new IllegalArgumentException("nothing is reached at port 0: say one from 1 to " + HostPort.MAX_PORT);
        }
        return new Target(scheme, at.host(), port);
    }

    private static void refuseRest(String rest) {
        if (rest.isEmpty() || rest.equals("/")) {
            return;
        }
        String what = rest.indexOf('#') >= 0 ? "fragment" : rest.indexOf('?') >= 0 ? "query" : "path";
        throw new IllegalArgumentException("the URL has a " + what + ", '" + Value.shown(rest)
                + "': path and query are forwarded as they came; leave it out");
    }
}
