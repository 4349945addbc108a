package dev.weir.gateway;

import java.util.List;
import java.util.Map;

/**
 * A whole message.
 *
 * @param text its body with the transfer coding taken off, a character for each byte
 * @param trailers the fields behind the body
 */
record Message(Head head, String text, List<Map.Entry<String, String>> trailers) {

    int status() {
        return head.status();
    }
}
