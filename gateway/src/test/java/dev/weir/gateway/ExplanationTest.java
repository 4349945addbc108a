package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Reason;
import dev.weir.load.GateReason;
import dev.weir.rate.Standing;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ExplanationTest {

    private static Decision.Judged judged(String limit, String key, boolean refused) {
        Standing standing = new Standing(10, OptionalLong.of(60), 4, OptionalLong.of(1), false, false);
        return new Decision.Judged(limit, key, 2, standing, refused, 0, false, Optional.empty());
    }

    @Test
    void aRefusalNamesItsLimitAndHidesItsKeys() {
        CallRecord call = new CallRecord(
                "id-1",
                "10.0.0.1",
                true,
                "1.2.3.4",
                "http",
                "GET",
                "/x",
                "http/1.1",
                0,
                0,
                MultiMap.caseInsensitiveMultiMap());
        call.route = "all";
        Decision refused = new Decision.Rejected(
                Reason.OVER_LIMIT,
                OptionalLong.empty(),
                Optional.of("few"),
                List.of(judged("few", "secret", true)),
                List.of(judged("more", "\r\n", false)),
                Optional.of(new Decision.Gated("service", Optional.of("browse"), true, Optional.of(GateReason.SHED))),
                false,
                0);
        assertThat(Explanation.of(call, refused))
                .isEqualTo(
                        "refused; reason=over-limit; limit=few; id=id-1; route=all; few refused key=sha256:2bb80d537b1d cost=2 left=4 of=10; more shadow granted key=sha256:7eb70257593d cost=2 left=4 of=10; gate service/browse refused=shed");
    }
}
