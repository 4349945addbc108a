package dev.weir.policy;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One call as Weir sees it: the only thing an adapter implements. Read-only questions about a request, asked on the thread that decides
 * and never kept. An answer must not change while the call is being decided.
 */
public interface Call {

    /** The request method as it came: {@code GET}. Case-sensitive. */
    String method();

    /** The path in the form of {@link NormalPath}, without the query. What a policy matches. */
    String path();

    /** The query without its question mark, still encoded; null when there is none. */
    default @Nullable String query() {
        return null;
    }

    /** The values of a request header by its name, in any case: one for each line, in order; empty when it is absent. */
    List<String> headers(String name);

    /** The address of the peer that the connection came from, without a port: {@code 192.0.2.7} or {@code 2001:db8::1}. */
    String peer();

    /** The host that was asked for, as it came, with its port if it had one; null when there was none. By default the Host header. */
    default @Nullable String host() {
        List<String> lines = headers("Host");
        return lines.isEmpty() ? null : lines.get(0);
    }

    /** The name of the route that serves this call, where the adapter knows one; null otherwise. */
    default @Nullable String route() {
        return null;
    }

    /** Something the service itself has proved about the call, such as its user; null when unknown. */
    default @Nullable String attribute(String name) {
        return null;
    }

    /** How long the caller will still wait, in nanoseconds, where the adapter knows; empty otherwise. */
    default OptionalLong deadlineNanos() {
        return OptionalLong.empty();
    }
}
