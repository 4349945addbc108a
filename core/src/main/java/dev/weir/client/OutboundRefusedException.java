package dev.weir.client;

import java.io.IOException;

/**
 * A call was not sent. It is an {@link IOException} so that whoever can bear a dependency that does not answer can bear this too; it comes
 * at once, and it has no stack trace.
 */
public final class OutboundRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient OutboundRefusal refusal;

    /** An exception that says why. */
    public OutboundRefusedException(OutboundRefusal refusal) {
        super(refusal.explanation());
        this.refusal = refusal;
    }

    /** Why it was not sent, and when it would be. */
    public OutboundRefusal refusal() {
        return refusal;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
