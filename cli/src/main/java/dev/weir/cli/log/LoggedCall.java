package dev.weir.cli.log;

import dev.weir.policy.Call;
import dev.weir.policy.NormalPath;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One line of an access log as the call it tells of, with what is known of the answer. What the log does not carry is absent: a policy that
 * reads a header which was not logged finds none. Immutable.
 */
public final class LoggedCall implements Call {

    /** Stands for a method that the log does not tell: a request that was never understood. */
    private static final String NO_METHOD = "-";

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Whether and which, so that the constructor can be read: all that a log may leave out. */
    record Known(
            @Nullable String method,
            @Nullable String target,
            @Nullable String host,
            @Nullable String user,
            OptionalInt status,
            OptionalLong bytes,
            OptionalLong durationNanos) {}

    private final long epochNanos;
    private final int fileIndex;
    private final long line;
    private final String peer;
    private final Known known;
    private final List<NamedColumn> named;
    private final @Nullable String[] namedValues;

    LoggedCall(
            long epochNanos,
            int fileIndex,
            long line,
            String peer,
            Known known,
            List<NamedColumn> named,
            @Nullable String[] namedValues) {
        this.epochNanos = epochNanos;
        this.fileIndex = fileIndex;
        this.line = line;
        this.peer = peer;
        this.known = known;
        this.named = named;
        this.namedValues = namedValues;
    }

    /** When the call came, in nanoseconds since 1970, by the log's clock. */
    public long epochNanos() {
        return epochNanos;
    }

    /** When the call came, by the log's clock. */
    public Instant time() {
        return instant(epochNanos);
    }

    static Instant instant(long epochNanos) {
        return Instant.ofEpochSecond(epochNanos / NANOS_PER_SECOND, epochNanos % NANOS_PER_SECOND);
    }

    /** The log the line stands in: an index into {@link SortedCalls#fileNames}. */
    public int fileIndex() {
        return fileIndex;
    }

    /** The line's number in its log, from 1. */
    public long line() {
        return line;
    }

    @Override
    public String peer() {
        return peer;
    }

    /** The request method; {@code -} when the request was never understood. */
    @Override
    public String method() {
        return known.method() == null ? NO_METHOD : known.method();
    }

    /** What was asked for, as it came: usually path and query; null when the request was never understood or the log does not say. */
    public @Nullable String target() {
        return known.target();
    }

    /** The path, without the query; {@code /} when the request was never understood. */
    @Override
    public String path() {
        String target = known.target();
        return target == null ? "/" : NormalPath.of(NormalPath.pathOf(target));
    }

    @Override
    public @Nullable String query() {
        String target = known.target();
        return target == null ? null : NormalPath.queryOf(target).orElse(null);
    }

    @Override
    public List<String> headers(String name) {
        String value = namedValue(NamedColumn.Kind.HEADER, name);
        if (value != null) {
            return List.of(value);
        }
        if (name.equalsIgnoreCase("Host") && known.host() != null) {
            return List.of(known.host());
        }
        return name.equalsIgnoreCase("Cookie") ? cookies() : List.of();
    }

    /** The cookies that were logged one by one, as the header they came in. */
    private List<String> cookies() {
        StringBuilder header = new StringBuilder();
        for (int i = 0; i < namedValues.length; i++) {
            if (named.get(i).kind() == NamedColumn.Kind.COOKIE && namedValues[i] != null) {
                header.append(header.isEmpty() ? "" : "; ")
                        .append(named.get(i).name())
                        .append('=')
                        .append(namedValues[i]);
            }
        }
        return header.isEmpty() ? List.of() : List.of(header.toString());
    }

    @Override
    public @Nullable String host() {
        return known.host() != null ? known.host() : namedValue(NamedColumn.Kind.HEADER, "Host");
    }

    /** The user that the log names, as {@code user}, and what a JSON log maps to attributes. */
    @Override
    public @Nullable String attribute(String name) {
        String value = namedValue(NamedColumn.Kind.ATTRIBUTE, name);
        return value == null && name.equals("user") ? known.user() : value;
    }

    /** The status of the answer; empty when the log does not say or none was sent. */
    public OptionalInt status() {
        return known.status();
    }

    /** The bytes of the answer's body, where the log has them, otherwise of the whole answer; empty when the log has a dash. */
    public OptionalLong bytes() {
        return known.bytes();
    }

    /** How long the answer took; empty when the log does not say. */
    public OptionalLong durationNanos() {
        return known.durationNanos();
    }

    /** A header of the answer, by its name in any case; null when it was not sent or not logged. */
    public @Nullable String responseHeader(String name) {
        return namedValue(NamedColumn.Kind.RESPONSE_HEADER, name);
    }

    private @Nullable String namedValue(NamedColumn.Kind kind, String name) {
        for (int i = 0; i < namedValues.length; i++) {
            if (namedValues[i] != null && named.get(i).is(kind, name)) {
                return namedValues[i];
            }
        }
        return null;
    }

    /** Writes the call behind what is already there. */
    void pack(PackedBytes out) {
        out.putLong(epochNanos);
        out.putVarint(fileIndex);
        out.putVarint(line);
        out.putString(peer);
        out.putString(known.method());
        out.putString(known.target());
        out.putString(known.host());
        out.putString(known.user());
        out.putVarint(known.status().isPresent() ? known.status().getAsInt() + 1L : 0);
        out.putOptional(known.bytes());
        out.putOptional(known.durationNanos());
        for (String value : namedValues) {
            out.putString(value);
        }
    }

    /** Reads a call of a format with these named columns, from where the bytes stand. */
    static LoggedCall unpack(PackedBytes in, List<NamedColumn> named) {
        long epochNanos = in.getLong();
        int fileIndex = (int) in.getVarint();
        long line = in.getVarint();
        String peer = in.getString();
        if (peer == null) {
            throw new IllegalStateException("a packed call without a client address");
        }
        String method = in.getString();
        String target = in.getString();
        String host = in.getString();
        String user = in.getString();
        long status = in.getVarint();
        OptionalInt knownStatus = status == 0 ? OptionalInt.empty() : OptionalInt.of((int) status - 1);
        OptionalLong bytes = in.getOptional();
        OptionalLong durationNanos = in.getOptional();
        @Nullable String[] values = new @Nullable String[named.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.getString();
        }
        Known known = new Known(method, target, host, user, knownStatus, bytes, durationNanos);
        return new LoggedCall(epochNanos, fileIndex, line, peer, known, named, values);
    }

    @Override
    public String toString() {
        return time() + " " + peer + " " + method() + " " + (known.target() == null ? "-" : known.target());
    }
}
