package dev.weir.gateway;

import dev.weir.policy.Policy;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was changed at run time, and how it is changed. */
final class OverrideAnswers {

    private final Running running;

    OverrideAnswers(Running running) {
        this.running = running;
    }

    Answer overrides(Asked asked) {
        List<Map<String, Object>> all = running.changes().current(Instant.now()).stream()
                .map(this::told)
                .toList();
        return Answer.json(200, Answer.page("overrides", all, asked));
    }

    private Map<String, Object> told(RuntimeChanges.Current each) {
        return Answer.object(
                "limit",
                each.change().limit(),
                "field",
                each.change().field(),
                "value",
                each.change().value(),
                "until",
                each.until().map(Instant::toString).orElse(null),
                "why",
                each.why(),
                "problem",
                problem(each.change()).orElse(null));
    }

    private Optional<String> problem(RuntimeChange change) {
        try {
            Policy unused = change.on(running.now().filed());
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    Answer put(Asked asked) {
        RuntimeChange change =
                RuntimeChange.of(asked.variable("limit"), asked.variable("field"), required(asked, "value"));
        String why = required(asked, "why");
        Optional<Instant> until = asked.parameter("until").map(OverrideAnswers::instant);
        Optional<String> problem = problem(change);
        if (problem.isPresent()) {
            throw new Asked.Bad(problem.get());
        }
        return running.changes().set(change, until, why, Instant.now()) ? changed() : unanswered();
    }

    Answer delete(Asked asked) {
        RuntimeChange change = RuntimeChange.of(asked.variable("limit"), asked.variable("field"), "");
        return running.changes().remove(change.limit(), change.field(), Instant.now()) ? changed() : unanswered();
    }

    private Answer changed() {
        running.applyChanges();
        return Answer.json(200, Answer.object("policy_version", running.now().version()));
    }

    private static Answer unanswered() {
        return Answer.problem(
                503, "Service Unavailable", "nothing changed as far as is known: the store gave no answer; try again");
    }

    private static String required(Asked asked, String name) {
        String text = asked.parameter(name).orElse("");
        if (text.isBlank() || text.length() > 1_000 || text.chars().anyMatch(c -> c < ' ')) {
            throw new Asked.Bad(name + " is missing, or longer than 1000 characters, or more than one line");
        }
        return text;
    }

    private static Instant instant(String text) {
        try {
            return text.contains("T")
                    ? Instant.parse(text)
                    : LocalDate.parse(text)
                            .plusDays(1)
                            .atStartOfDay(ZoneOffset.UTC)
                            .toInstant();
        } catch (DateTimeException e) {
            throw new Asked.Bad("until: '" + text
                    + "' is no date, which lasts through that day in UTC, and no instant such as 2030-06-30T12:00:00Z");
        }
    }

    Answer audit(Asked asked) {
        List<Map<String, Object>> all = running.changes().audit().stream()
                .map(each -> Answer.object(
                        "at",
                        each.at().toString(),
                        "done",
                        each.done(),
                        "limit",
                        each.limit(),
                        "field",
                        each.field(),
                        "value",
                        each.value(),
                        "until",
                        each.until().map(Instant::toString).orElse(null),
                        "why",
                        each.why()))
                .toList();
        return Answer.json(200, Answer.page("audit", all, asked));
    }
}
