package dev.weir;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What is known of an admitted call's answer, for charges that depend on it.
 *
 * @param status its status code; empty when there was none
 * @param bodyBytes how long its body was; empty when unknown
 * @param durationNanos how long it took; empty when unknown
 * @param headers the values of a header by its name; an empty list when it is absent
 */
public record Answer(
        OptionalInt status,
        OptionalLong bodyBytes,
        OptionalLong durationNanos,
        Function<String, List<String>> headers) {

    /** An answer of which only the status is known. */
    public static Answer ofStatus(int status) {
        return new Answer(OptionalInt.of(status), OptionalLong.empty(), OptionalLong.empty(), name -> List.of());
    }
}
