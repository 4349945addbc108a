package dev.weir.gateway;

import dev.weir.policy.ClientAddress;
import dev.weir.policy.Identity;
import java.util.List;
import java.util.Optional;

/** What is known of the other end of a connection, asked once instead of for each of its calls. Used on one event loop. */
final class ClientConnection {

    /** How long it may stay without a call after its first one, the next head included. */
    private static final long IDLE_NANOS = 75_000_000_000L;

    private final String peer;
    private final Optional<AcceptedConnection> accepted;
    private int policyVersion;
    private boolean trusted;
    private String address = "";
    private int callsUnderWay;
    private boolean closing;
    private long idleSinceNanos;

    ClientConnection(String peer, Optional<AcceptedConnection> accepted, long nowNanos) {
        this.peer = peer;
        this.accepted = accepted;
        idleSinceNanos = nowNanos;
    }

    String peer() {
        return peer;
    }

    /** Whether a forwarding field that it sends is believed. */
    boolean isTrusted(Running.Snapshot now) {
        look(now);
        return trusted;
    }

    /** Its own address in the form in which policies count it. */
    String address(Running.Snapshot now) {
        look(now);
        return address;
    }

    private void look(Running.Snapshot now) {
        if (policyVersion != now.version()) {
            policyVersion = now.version();
            Identity identity = now.policy().identity();
            trusted = identity.trusts(peer);
            address = ClientAddress.of(identity, peer, List.of(), List.of());
        }
    }

    /** A request came, whatever becomes of it. */
    void called(long nowNanos) {
        accepted.ifPresent(AcceptedConnection::headCame);
        idleSinceNanos = nowNanos;
    }

    /** A call was let in. */
    void callBegins() {
        callsUnderWay++;
    }

    void callEnds(long nowNanos) {
        callsUnderWay--;
        idleSinceNanos = nowNanos;
    }

    /** It ends with the answer that is on its way. */
    void closes() {
        closing = true;
    }

    /** Whether what is still read from it is nobody's request. */
    boolean isClosing() {
        return closing;
    }

    /** Whether it only takes up room: no call is under way, and none came for long. A head that arrives byte by byte is no call yet. */
    boolean isIdleTooLong(long nowNanos) {
        return callsUnderWay == 0 && nowNanos - idleSinceNanos > IDLE_NANOS;
    }
}
