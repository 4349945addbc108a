package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.policy.KeyDigest;

/** A decision in one field line: who was counted by what, as hashes, and what is left. */
final class Explanation {

    private Explanation() {}

    /** {@code admitted; id=...; route=...; per-key key=sha256:9f86d081 cost=1 left=9 of 10, ...}. */
    static String of(CallRecord record, Decision decision) {
        StringBuilder out = new StringBuilder();
        if (decision instanceof Decision.Rejected rejected) {
            out.append("refused; reason=").append(rejected.reason().wireName());
            rejected.speaker().ifPresent(limit -> out.append("; limit=").append(limit));
        } else {
            out.append("admitted");
        }
        out.append("; id=").append(record.requestId);
        if (record.route != null) {
            out.append("; route=").append(record.route);
        }
        decision.judged().forEach(judged -> append(out, judged, ""));
        decision.shadows().forEach(judged -> append(out, judged, " shadow"));
        decision.gate().ifPresent(gate -> append(out, gate));
        if (decision instanceof Decision.Admitted in && !in.degrade().isEmpty()) {
            out.append("; degrade=").append(String.join(",", in.degrade()));
        }
        if (decision.withoutStore()) {
            out.append("; without-store");
        }
        if (decision.waitedNanos() > 0) {
            out.append("; waited=").append(decision.waitedNanos() / 1_000).append("us");
        }
        return out.toString();
    }

    private static void append(StringBuilder out, Decision.Gated gate) {
        out.append("; gate ").append(gate.gate());
        gate.pool().ifPresent(pool -> out.append('/').append(pool));
        out.append(gate.enforced() ? "" : " shadow");
        gate.refused()
                .ifPresentOrElse(reason -> out.append(" refused=").append(reason.word()), () -> out.append(" granted"));
    }

    private static void append(StringBuilder out, Decision.Judged judged, String mode) {
        out.append("; ").append(judged.limit()).append(mode);
        out.append(judged.refused() ? " refused" : " granted");
        out.append(" key=sha256:").append(KeyDigest.sha256(judged.key()), 0, 12);
        out.append(" cost=").append(judged.cost());
        out.append(" left=").append(judged.standing().remaining());
        out.append(" of=").append(judged.standing().quota());
    }
}
