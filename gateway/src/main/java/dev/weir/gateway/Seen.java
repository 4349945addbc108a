package dev.weir.gateway;

import dev.weir.Decision;

/** Is told of what passes the front doors, on their event loops: it must be quick, and must not throw. */
interface Seen {

    /** A call was decided. */
    void decided(String requestId, GatewayCall call, Decision decision);

    /** A call is over, or was refused; each request once. */
    void ended(CallRecord record);
}
