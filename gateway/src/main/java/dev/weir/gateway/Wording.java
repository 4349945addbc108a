package dev.weir.gateway;

import dev.weir.http.HttpAnswer;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;

/** A refusal in the form in which it is sent, as often as one like it is due. Immutable. */
final class Wording {

    private record Field(CharSequence name, CharSequence value) {}

    private final int status;
    private final List<Field> fields = new ArrayList<>();
    private final Buffer body;

    private Wording(int status, Buffer body) {
        this.status = status;
        this.body = body;
    }

    static Wording of(HttpAnswer answer) {
        Wording wording =
                new Wording(answer.status(), Buffer.buffer(answer.body().orElse("")));
        answer.fields()
                .forEach((name, value) -> wording.fields.add(
                        new Field(HttpHeaders.createOptimized(name), HttpHeaders.createOptimized(value))));
        return wording;
    }

    int status() {
        return status;
    }

    Buffer body() {
        return body;
    }

    /** Writes status and fields. */
    void writeHead(HttpServerResponse response) {
        response.setStatusCode(status);
        for (int at = 0; at < fields.size(); at++) {
            Field field = fields.get(at);
            response.putHeader(field.name, field.value);
        }
    }
}
