package dev.weir.gateway;

import dev.weir.policyfile.GatewaySettings.Admin;
import io.netty.util.NetUtil;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns away who may not ask the admin port: pages of other sites in an operator's browser, and whoever lacks the token. */
final class AdminGuard {

    private final Admin settings;
    private final Tokens tokens;

    AdminGuard(Admin settings) {
        this.settings = settings;
        tokens = new Tokens(settings.readToken(), settings.writeToken());
    }

    /**
     * A name that somebody else's name server leads here must not make a browser believe that this is their site: only names and
     * addresses that cannot be anybody else's are answered to.
     */
    Optional<Answer> checkHost(HttpServerRequest request) {
        if (request.authority() == null) {
            return Optional.of(Answer.problem(400, "Bad Request", "there is no Host field, or it cannot be read"));
        }
        String host = bare(request.authority().host());
        if (isOurs(host)) {
            return Optional.empty();
        }
        return Optional.of(Answer.problem(
                421,
                "Misdirected Request",
                "the admin port answers to localhost and to the host of gateway.admin, which is " + settings.host()
                        + ", not to '" + host + "'"));
    }

    private boolean isOurs(String host) {
        if (host.equals("localhost") || host.endsWith(".localhost") || host.equals(bare(settings.host()))) {
            return true;
        }
        Optional<InetAddress> literal = literal(host);
        return literal.isPresent()
                && (literal.get().isLoopbackAddress()
                        || literal(bare(settings.host()))
                                .map(InetAddress::isAnyLocalAddress)
                                .orElse(false));
    }

    private static String bare(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.startsWith("[") && lower.endsWith("]") ? lower.substring(1, lower.length() - 1) : lower;
    }

    private static Optional<InetAddress> literal(String host) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        try {
            return bytes == null ? Optional.empty() : Optional.of(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    /** Whether everybody who reaches the port may read, and it can be reached from elsewhere. */
    static boolean isOpenToOthers(Admin settings) {
        String host = bare(settings.host());
        boolean loopback = host.equals("localhost")
                || literal(host).map(InetAddress::isLoopbackAddress).orElse(false);
        return !loopback && settings.readToken().isEmpty();
    }

    /** Whoever sent this may ask for it, or is told what is missing. */
    Optional<Answer> checkAccess(Endpoint endpoint, @Nullable String authorization, @Nullable String origin) {
        return switch (endpoint.access()) {
            case OPEN -> Optional.empty();
            case READ -> tokens.mayRead(authorization) ? Optional.empty() : Optional.of(unauthorized("read"));
            case WRITE -> checkWrite(authorization, origin);
        };
    }

    private Optional<Answer> checkWrite(@Nullable String authorization, @Nullable String origin) {
        if (origin != null) {
            return Optional.of(Answer.problem(403, "Forbidden", "changes are not taken from pages in a browser"));
        }
        if (!tokens.anybodyMayWrite()) {
            return Optional.of(Answer.problem(
                    403,
                    "Forbidden",
                    "no changes are possible without a write token: set gateway.admin.write-token, for example to"
                            + " \"${WEIR_WRITE_TOKEN}\", and start the gateway again"));
        }
        return tokens.mayWrite(authorization) ? Optional.empty() : Optional.of(unauthorized("write"));
    }

    private static Answer unauthorized(String token) {
        return Answer.problem(
                        401,
                        "Unauthorized",
                        "send the " + token + " token of gateway.admin: Authorization: Bearer TOKEN")
                .with("WWW-Authenticate", "Bearer");
    }
}
