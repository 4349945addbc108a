package dev.weir;

import static dev.weir.Scene.fixed;
import static dev.weir.Scene.forAll;
import static dev.weir.Scene.perKey;
import static dev.weir.Scene.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.load.Criticality;
import dev.weir.load.Outcome;
import dev.weir.policy.Budget;
import dev.weir.policy.Call;
import dev.weir.policy.ClientIp;
import dev.weir.policy.Cost;
import dev.weir.policy.CriticalityRules;
import dev.weir.policy.Identity;
import dev.weir.policy.Key;
import dev.weir.policy.Limit;
import dev.weir.policy.Match;
import dev.weir.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What goes wrong inside admission fails no call, is counted, and leaks nothing. */
class FaultsTest {

    private static final TestCall A = TestCall.by("a");
    private static final Limit HELD = perKey("held", new Budget.InFlight(1));

    private static final Match BY_HEADER = new Match(
            List.of(), List.of(), List.of(), Map.of("X-In", List.of("*")), Map.of(), List.of(), List.of(), Map.of());

    private static final class Throwing implements WeirListener {
        private final Error error;

        Throwing(Error error) {
            this.error = error;
        }

        @Override
        public void decided(Call call, Decision decision) {
            throw error;
        }

        @Override
        public void released(Call call, Outcome outcome, long heldNanos) {
            throw error;
        }
    }

    /** Throws for every header; knows its user. */
    private static class BrokenCall implements Call {
        private final Error error;

        BrokenCall(Error error) {
            this.error = error;
        }

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String path() {
            return "/";
        }

        @Override
        public List<String> headers(String name) {
            throw error;
        }

        @Override
        public String peer() {
            return "192.0.2.1";
        }

        @Override
        public String attribute(String name) {
            return "ada";
        }
    }

    @Test
    void listenersThatThrowAreCountedAndTheOthersAreTold() {
        List<String> told = new ArrayList<>();
        WeirListener listening = new WeirListener() {
            @Override
            public void decided(Call call, Decision decision) {
                told.add(decision instanceof Decision.Admitted ? "in" : "out");
            }

            @Override
            public void released(Call call, Outcome outcome, long heldNanos) {
                told.add(outcome + " " + heldNanos);
            }
        };
        WeirListener throwing = new WeirListener() {
            @Override
            public void decided(Call call, Decision decision) {
                throw new IllegalStateException("listener");
            }

            @Override
            public void released(Call call, Outcome outcome, long heldNanos) {
                throw new IllegalStateException("listener");
            }
        };
        Scene scene = new Scene(policy(HELD), throwing, listening, new Throwing(new NoClassDefFoundError("gone")));
        Permit permit = scene.admitted(A).permit();
        scene.rejected(A);
        scene.advanceNanos(17);
        assertThat(permit.release(Outcome.DROPPED)).isTrue();
        assertThat(scene.passes(A)).isTrue();
        assertThat(told).containsExactly("in", "out", "DROPPED 17", "in");
        assertThat(scene.weir.errors()).isEqualTo(8);
    }

    @Test
    void aCallThatThrowsIsAdmittedAndHoldsNothing() {
        Scene scene = new Scene(HELD, perKey("one", fixed("1/m")));
        for (Error error : List.of(new AssertionError("key"), new StackOverflowError())) {
            Decision.Admitted in = scene.admitted(new BrokenCall(error));
            assertThat(in.judged()).isEmpty();
            assertThat(in.permit().release(Outcome.SUCCESS)).isTrue();
        }
        assertThat(scene.weir.errors()).as("two limits, two calls").isEqualTo(4);
        assertThat(scene.passes(A)).isTrue();
    }

    /** By what the limit throws: its match, an exception from it, its key, its cost. Behind each stands one that counts to two. */
    @Test
    void aLimitThatTheCallThrowsForIsLeftOutAndTheOthersDecide() {
        Limit once = forAll("once", fixed("1/m"));
        for (Limit throwing : List.of(
                once.match(BY_HEADER),
                once.except(List.of(BY_HEADER)),
                perKey("once", fixed("1/m")),
                once.cost(new Cost.ByMatch(List.of(new Cost.ByMatch.Rule(BY_HEADER, 1)))))) {
            for (boolean first : List.of(true, false)) {
                Limit twice = Limit.of("twice", new Key.Attribute("user"), fixed("2/m"));
                Scene scene = first ? new Scene(throwing, twice) : new Scene(twice, throwing);
                Call broken = new BrokenCall(new AssertionError("header"));
                assertThat(scene.passing(broken, 5)).isEqualTo(2);
                assertThat(scene.rejected(broken).speaker()).contains("twice");
                assertThat(scene.weir.errors()).isEqualTo(6);
            }
        }
    }

    /** Nobody becomes exempt, trusted or unimportant by throwing, and what stands behind the condition is still asked. */
    @Test
    void aConditionThatThrowsDoesNotHold() {
        Policy policy = Policy.builder()
                .exempt(List.of(BY_HEADER, Match.path("/health")))
                .criticality(new CriticalityRules(
                        Criticality.CRITICAL, List.of(new CriticalityRules.Rule(BY_HEADER, Criticality.SHEDDABLE))))
                .limit(forAll("once", fixed("1/m")))
                .build();
        Scene scene = new Scene(policy);
        Error error = new AssertionError("header");
        assertThat(scene.admitted(new BrokenCall(error)).criticality()).isEqualTo(Criticality.CRITICAL);
        assertThat(scene.passes(new BrokenCall(error))).isFalse();
        assertThat(scene.passes(new BrokenCall(error) {
                    @Override
                    public String path() {
                        return "/health";
                    }

                    @Override
                    public String peer() {
                        throw new AssertionError("peer");
                    }
                }))
                .isTrue();
        assertThat(scene.weir.errors()).isEqualTo(2 + 2 + 3);
    }

    @Test
    void aCallThatThrowsIsNotAdmittedWhileDraining() {
        Scene scene = new Scene(HELD);
        scene.weir.close();
        assertThat(scene.rejected(new BrokenCall(new AssertionError("key"))).reason())
                .isEqualTo(Reason.DRAINING);
    }

    @Test
    void anEmptySecretIsRefusedBeforeAnythingIsCounted() {
        assertThatThrownBy(() -> new Identity(List.of(), ClientIp.PEER, 32, 64, Optional.of("")))
                .hasMessage("the secret is empty: leave it out, or set one");
    }

    @Test
    void thePartitionKeyIsAHashUnderTheSecretAndTellsCallersApart() {
        Scene scene = new Scene(Policy.builder()
                .identity(new Identity(List.of(), ClientIp.PEER, 32, 64, Optional.of("secret")))
                .limit(perKey("one", fixed("5/m")))
                .build());
        String a = scene.admitted(A).judged().get(0).partitionKey().orElseThrow();
        assertThat(scene.admitted(A).judged().get(0).partitionKey()).contains(a);
        assertThat(scene.admitted(TestCall.by("b"))
                        .judged()
                        .get(0)
                        .partitionKey()
                        .orElseThrow())
                .isNotEqualTo(a)
                .hasSize(16);
        assertThat(new Scene(HELD).admitted(A).judged().get(0).partitionKey()).isEmpty();
    }
}
