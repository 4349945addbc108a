package dev.weir.policyfile;

import dev.weir.load.Criticality;
import dev.weir.load.GateSettings;
import dev.weir.load.Shedding;
import dev.weir.policy.GateRule;
import dev.weir.policy.Mode;
import dev.weir.policy.Policy;
import java.util.List;
import java.util.Optional;

/** Finds what gates may say and probably do not mean. */
final class LoadWarnings {

    private final Policy policy;
    private final List<ReadGate> gates;
    private final Reading reading;

    LoadWarnings(Policy policy, List<ReadGate> gates, Reading reading) {
        this.policy = policy;
        this.gates = gates;
        this.reading = reading;
    }

    void find() {
        for (int at = 0; at < gates.size(); at++) {
            ReadGate read = gates.get(at);
            if (!read.rule().mode().equals(Mode.OFF)) {
                unreachable(read, gates.subList(0, at));
            }
            queueNeverUsed(read);
            guarantees(read);
        }
    }

    private void unreachable(ReadGate read, List<ReadGate> before) {
        GateRule rule = read.rule();
        if (policy.exempt().stream().anyMatch(exempt -> Coverage.covers(exempt, rule.match()))) {
            reading.warning(
                    WarningName.UNREACHABLE_LIMIT,
                    read.name(),
                    "every call that '" + rule.name() + "' matches is exempt: remove it, or narrow exempt");
        }
        Optional<GateRule> instead = before.stream()
                .map(ReadGate::rule)
                .filter(earlier -> !earlier.mode().equals(Mode.OFF) && Coverage.covers(earlier.match(), rule.match()))
                .findFirst();
        instead.ifPresent(earlier -> reading.warning(
                WarningName.UNREACHABLE_LIMIT,
                read.name(),
                "'" + earlier.name() + "' holds every call that '" + rule.name()
                        + "' matches, and the first gate that matches has the call: move it up, or remove it"));
    }

    private static void queueNeverUsed(ReadGate read) {
        GateSettings settings = read.rule().settings();
        boolean allShed = settings.shed() instanceof Shedding.Thresholds
                && List.of(Criticality.SHEDDABLE, Criticality.SHEDDABLE_PLUS, Criticality.CRITICAL).stream()
                        .allMatch(settings.shed()::shedsWhenFull);
        if (allShed) {
            read.fields()
                    .get("queue")
                    .ifPresent(
                            queue -> queue.warn(
                                    WarningName.QUEUE_NEVER_USED,
                                    "every criticality but critical-plus is refused before the gate is full, so that hardly anybody waits here: shed critical at 100%, or leave the queue out"));
        }
    }

    private static void guarantees(ReadGate read) {
        GateSettings settings = read.rule().settings();
        read.fields().get("pools").ifPresent(pools -> {
            int guaranteed = GateReader.guaranteedBasisPoints(pools);
            if (guaranteed > 10_000) {
                pools.warn(
                        WarningName.GUARANTEES_ABOVE_LIMIT,
                        "the pools are guaranteed " + guaranteed / 100.0
                                + "% together; in force is each one's part of that: lower them to 100% or less");
            }
            if (settings.pools().size() > settings.concurrency().min()) {
                pools.warn(
                        WarningName.GUARANTEES_ABOVE_LIMIT,
                        "there are " + settings.pools().size() + " pools and at the floor "
                                + settings.concurrency().min()
                                + " slots, so that some would have none: raise min, or have fewer pools");
            }
        });
    }
}
