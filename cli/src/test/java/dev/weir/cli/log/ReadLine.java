package dev.weir.cli.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One line read by a format, as one line of text: what tables of tests compare. */
final class ReadLine {

    private ReadLine() {}

    static LoggedCall call(String format, String line) throws Malformed {
        LineParser parser = LogFormat.of(format).parser();
        CallDraft draft = new CallDraft(parser.named());
        draft.clear();
        byte[] bytes = ("~~" + line).getBytes(StandardCharsets.UTF_8);
        parser.parse(bytes, 2, bytes.length, draft);
        return draft.toCall(0, 1, TimeIs.START);
    }

    /** {@code time peer method target status bytes} and, where known, duration, host, user and headers; or the reason it is malformed. */
    static String read(String format, String line) {
        LoggedCall call;
        try {
            call = call(format, line);
        } catch (Malformed e) {
            return "malformed: " + e.reason();
        }
        List<String> words = new ArrayList<>();
        words.add(call.time().toString());
        words.add(call.peer());
        words.add(call.method());
        words.add(call.target() == null ? "-" : call.target());
        words.add(call.status().isEmpty() ? "-" : "" + call.status().getAsInt());
        words.add(call.bytes().isEmpty() ? "-" : "" + call.bytes().getAsLong());
        call.durationNanos().ifPresent(nanos -> words.add("took=" + nanos));
        if (call.host() != null) {
            words.add("host=" + call.host());
        }
        if (call.attribute("user") != null) {
            words.add("user=" + call.attribute("user"));
        }
        for (String name : List.of("Referer", "User-Agent", "X-Forwarded-For", "X-Api-Key", "Cookie")) {
            call.headers(name).forEach(value -> words.add(name + "=" + value));
        }
        if (call.responseHeader("X-Cost") != null) {
            words.add("cost=" + call.responseHeader("X-Cost"));
        }
        return String.join(" ", words);
    }
}
