package dev.weir.gateway;

/** Why a gateway cannot start, in words for whoever started it: the place, the value, and what to do. */
public final class GatewayException extends Exception {

    private static final long serialVersionUID = 1L;

    GatewayException(String message) {
        super(message);
    }
}
