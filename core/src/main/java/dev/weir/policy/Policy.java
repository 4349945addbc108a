package dev.weir.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Everything that decides about calls: immutable, understood whole. Made by {@link #builder} or read from a file by {@code weir-policy-file}. */
public final class Policy {

    private final Identity identity;
    private final CallHeaders callHeaders;
    private final List<Match> exempt;
    private final Plans plans;
    private final Answers answers;
    private final List<Limit> limits;
    private final CriticalityRules criticality;
    private final List<GateRule> gates;
    private final List<OutboundRule> outbounds;
    private final Optional<StoreSettings> store;
    private final PathIndex limitsByPath;

    private Policy(Builder builder) {
        identity = builder.identity;
        callHeaders = builder.callHeaders;
        exempt = List.copyOf(builder.exempt);
        plans = builder.plans;
        answers = builder.answers;
        limits = List.copyOf(builder.limits);
        criticality = builder.criticality;
        gates = List.copyOf(builder.gates);
        outbounds = List.copyOf(builder.outbounds);
        store = builder.store;
        limitsByPath = new PathIndex(limits);
    }

    /** A policy that admits everything, to add to. */
    public static Builder builder() {
        return new Builder();
    }

    /** Whom to believe about who is calling. */
    public Identity identity() {
        return identity;
    }

    /** Which headers of trusted proxies are read. */
    public CallHeaders callHeaders() {
        return callHeaders;
    }

    /** Calls that nothing here applies to. */
    public List<Match> exempt() {
        return exempt;
    }

    /** Which plan a caller is on. */
    public Plans plans() {
        return plans;
    }

    /** How decisions are told to callers. */
    public Answers answers() {
        return answers;
    }

    /** The limits, in file order. */
    public List<Limit> limits() {
        return limits;
    }

    /** Which of the limits a path can concern. */
    PathIndex limitsByPath() {
        return limitsByPath;
    }

    /** How much calls matter. */
    public CriticalityRules criticality() {
        return criticality;
    }

    /** The gates, in file order: the first that matches a call holds it. */
    public List<GateRule> gates() {
        return gates;
    }

    /** The dependencies that calls go out to, in file order: the first that has a call's host is it. */
    public List<OutboundRule> outbounds() {
        return outbounds;
    }

    /** Where the budgets of fleet limits are counted; empty when the policy does not say it. */
    public Optional<StoreSettings> store() {
        return store;
    }

    /**
     * What this policy means for the call at one admission point: pure, counts nothing. A limit for which the call
     * throws is left out.
     *
     * @param now decides which plan rows and overrides still hold
     */
    public Bill bill(Call call, AdmissionPoint point, Instant now) {
        return new Billing(this, call, now).bill(point);
    }

    /**
     * A line for each limit and each of its key expressions that could count a call under this text, at no cost: whom a text stands for
     * depends on the call. An address counts by its prefix. A plan that only a call tells is not known here, so the default one stands for it.
     *
     * @param now decides which plan rows and overrides still hold
     */
    public List<Bill.Line> linesOf(String keyText, Instant now) {
        return KeyLines.of(this, keyText, now);
    }

    /** The same policy with these limits; throws what {@link Builder#build} throws. */
    public Policy withLimits(List<Limit> limits) {
        Builder builder = builder()
                .identity(identity)
                .callHeaders(callHeaders)
                .exempt(exempt)
                .plans(plans)
                .answers(answers)
                .criticality(criticality);
        limits.forEach(builder::limit);
        gates.forEach(builder::gate);
        store.ifPresent(builder::store);
        return builder.build();
    }

    private List<Object> parts() {
        return List.of(identity, callHeaders, exempt, plans, answers, limits, criticality, gates, outbounds, store);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Policy that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    /** How much there is, for people; the secret stays out of it. */
    @Override
    public String toString() {
        return "Policy" + limits.stream().map(Limit::name).toList();
    }

    /** Puts a policy together. Not thread safe. */
    public static final class Builder {
        private Identity identity = Identity.DEFAULT;
        private CallHeaders callHeaders = CallHeaders.NONE;
        private List<Match> exempt = List.of();
        private Plans plans = Plans.NONE;
        private Answers answers = Answers.DEFAULT;
        private final List<Limit> limits = new ArrayList<>();
        private CriticalityRules criticality = CriticalityRules.DEFAULT;
        private final List<GateRule> gates = new ArrayList<>();
        private final List<OutboundRule> outbounds = new ArrayList<>();
        private Optional<StoreSettings> store = Optional.empty();

        private Builder() {}

        /** Whom to believe about who is calling. */
        public Builder identity(Identity identity) {
            this.identity = identity;
            return this;
        }

        /** Which headers of trusted proxies are read. */
        public Builder callHeaders(CallHeaders callHeaders) {
            this.callHeaders = callHeaders;
            return this;
        }

        /** Calls that nothing here applies to. */
        public Builder exempt(List<Match> exempt) {
            this.exempt = exempt;
            return this;
        }

        /** Which plan a caller is on. */
        public Builder plans(Plans plans) {
            this.plans = plans;
            return this;
        }

        /** How decisions are told to callers. */
        public Builder answers(Answers answers) {
            this.answers = answers;
            return this;
        }

        /** Adds a limit behind those already there. */
        public Builder limit(Limit limit) {
            limits.add(limit);
            return this;
        }

        /** How much calls matter. */
        public Builder criticality(CriticalityRules criticality) {
            this.criticality = criticality;
            return this;
        }

        /** Adds a gate behind those already there. */
        public Builder gate(GateRule gate) {
            gates.add(gate);
            return this;
        }

        /** Adds a dependency behind those already there. */
        public Builder outbound(OutboundRule outbound) {
            outbounds.add(outbound);
            return this;
        }

        /** Where the budgets of fleet limits are counted. */
        public Builder store(StoreSettings store) {
            this.store = Optional.of(store);
            return this;
        }

        /** The policy. Throws {@link IllegalArgumentException} when two limits, two gates or two dependencies share a name, when one stands instead of a limit that is not there,
         * or when the plans and overrides of one count something else than itself. */
        public Policy build() {
            Set<String> names = new HashSet<>();
            for (Limit limit : limits) {
                if (!names.add(limit.name())) {
                    throw new IllegalArgumentException("two limits are named '" + limit.name() + "'");
                }
            }
            Set<String> gateNames = new HashSet<>();
            for (GateRule gate : gates) {
                if (!gateNames.add(gate.name())) {
                    throw new IllegalArgumentException("two gates are named '" + gate.name() + "'");
                }
            }
            Set<String> dependencies = new HashSet<>();
            for (OutboundRule outbound : outbounds) {
                if (!dependencies.add(outbound.name())) {
                    throw new IllegalArgumentException("two dependencies are named '" + outbound.name() + "'");
                }
            }
            for (Limit limit : limits) {
                limit.requireOneKind();
                for (String other : limit.insteadOf()) {
                    if (!names.contains(other)) {
                        throw new IllegalArgumentException(
                                "limit '" + limit.name() + "' stands instead of '" + other + "', which is not there");
                    }
                }
            }
            return new Policy(this);
        }
    }
}
