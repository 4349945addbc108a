package dev.weir.gateway;

import dev.weir.policy.Changes;
import dev.weir.policyfile.Warning;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Which policy is in force, and putting the next one in its place. */
final class PolicyAnswers {

    private final Running running;
    private final Supplier<Running.Reload> reload;

    PolicyAnswers(Running running, Supplier<Running.Reload> reload) {
        this.running = running;
        this.reload = reload;
    }

    Answer policy(Asked asked) {
        Running.Snapshot now = running.now();
        Map<String, Object> body = version(now);
        body.put("file", running.file().toString());
        body.put("previous", running.previous().map(PolicyAnswers::version).orElse(null));
        body.put(
                "changes",
                running.previous()
                        .map(previous -> changes(Changes.between(previous.policy(), now.policy())))
                        .orElse(null));
        body.put("warnings", now.warnings().stream().map(PolicyAnswers::warning).toList());
        return Answer.json(200, body);
    }

    private static Map<String, Object> version(Running.Snapshot snapshot) {
        return Answer.object(
                "version",
                snapshot.version(),
                "hash",
                "sha256:" + snapshot.hash(),
                "since",
                snapshot.since().toString());
    }

    private static Map<String, Object> changes(Changes changes) {
        return Answer.object(
                "kept", changes.kept(),
                "reset", changes.reset(),
                "added", changes.added(),
                "removed", changes.removed(),
                "relearning", changes.relearning());
    }

    private static Map<String, Object> warning(Warning warning) {
        return Answer.object(
                "name", warning.name(),
                "file", warning.file(),
                "line", warning.line(),
                "column", warning.column(),
                "message", warning.message());
    }

    /** Does what SIGHUP does. */
    Answer reload(Asked asked) {
        Running.Reload result = reload.get();
        if (result instanceof Running.Reload.Refused refused) {
            List<String> errors = refused.problems();
            return Answer.problem(
                    422,
                    "Unprocessable Content",
                    "nothing changed: the policy file has " + errors.size()
                            + (errors.size() == 1 ? " error" : " errors"),
                    Map.of("errors", errors));
        }
        Running.Reload.Done done = (Running.Reload.Done) result;
        Map<String, Object> body = version(done.now());
        body.put("changes", changes(done.changes()));
        body.put("notes", done.notes());
        body.put(
                "warnings",
                done.now().warnings().stream().map(PolicyAnswers::warning).toList());
        return Answer.json(200, body);
    }
}
