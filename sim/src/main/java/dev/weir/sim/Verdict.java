package dev.weir.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Whether a run does what its scenario demands in one respect.
 *
 * @param demand what is demanded
 * @param seen what came of it
 */
record Verdict(String demand, String seen, boolean holds) {

    /** All verdicts about a run; some compare it with the run without any limit, where there is one. */
    static List<Verdict> of(Scenario scenario, Played run, Optional<Played> none) {
        Must must = scenario.must();
        Span span = scenario.measured();
        List<Verdict> verdicts = new ArrayList<>();
        must.goodput().ifPresent(least -> verdicts.add(atLeast("goodput", least, run.goodput(span))));
        must.p99Ratio()
                .ifPresent(most -> verdicts.add(
                        atMost("p99 of an idle server times", most, run.p99Millis(span) / run.idleP99Millis(span))));
        must.limitToKnee().ifPresent(range -> verdicts.add(within("limit to knee", range, run.limitToKnee(span))));
        must.settledWithin()
                .ifPresent(most -> verdicts.add(
                        settled(most, run.settledAfter(must.goodput().orElse(0.9)))));
        must.falseShed()
                .ifPresent(most ->
                        verdicts.add(sharesAtMost("refused while there was room", most, run.refusedFalsely(span))));
        must.goodputOfNone()
                .ifPresent(least -> none.ifPresent(open -> verdicts.add(atLeast(
                        "answers in time, of those without limit",
                        least,
                        (double) span.sum(run.good()) / Math.max(1, span.sum(open.good()))))));
        must.limitGrowth().ifPresent(growth -> verdicts.add(grown(growth, run, span)));
        must.limitAt()
                .forEach((second, range) -> verdicts.add(within(
                        "limit to knee at second " + second, range, run.limitToKnee(new Span(second, second + 1)))));
        must.served()
                .forEach((whose, least) -> verdicts.add(atLeast("served of " + whose, least, run.served(whose, span))));
        must.busiestSecond()
                .ifPresent(most ->
                        verdicts.add(atMost("sends in the busiest second", most, (double) run.busiestSecond(span))));
        must.sendsPerCall()
                .ifPresent(range ->
                        verdicts.add(within("sends for each call", range, OptionalDouble.of(run.sendsPerCall(span)))));
        if (!must.gateRefuses()) {
            verdicts.add(atMost("calls that the gate refused", 0, (double) span.sum(run.refused())));
        }
        must.goodputIn()
                .forEach((phase, least) ->
                        verdicts.add(atLeast("goodput, " + phase + ",", least, run.goodput(scenario.phase(phase)))));
        if (must.noneFails()) {
            none.ifPresent(open -> verdicts.add(noneFails(must.goodput().orElse(0.9), open.goodput(span))));
        }
        return verdicts;
    }

    private static Verdict atLeast(String what, double least, double seen) {
        return new Verdict(what + " at least " + percent(least), percent(seen), seen >= least);
    }

    private static Verdict sharesAtMost(String what, double most, double seen) {
        return new Verdict(what + " at most " + percent(most), percent(seen), seen <= most);
    }

    private static Verdict atMost(String what, double most, double seen) {
        return new Verdict(what + " at most " + number(most), number(seen), seen <= most);
    }

    private static Verdict within(String what, Must.Range range, OptionalDouble seen) {
        return new Verdict(
                what + " from " + number(range.least()) + " to " + number(range.most()),
                seen.isPresent() ? number(seen.getAsDouble()) : "none",
                seen.isPresent() && seen.getAsDouble() >= range.least() && seen.getAsDouble() <= range.most());
    }

    private static Verdict settled(int most, OptionalInt seen) {
        return new Verdict(
                "settled within " + most + " s",
                seen.isPresent() ? seen.getAsInt() + " s" : "never",
                seen.isPresent() && seen.getAsInt() <= most);
    }

    private static Verdict grown(Must.Growth growth, Played run, Span span) {
        double times = run.limitAtEnd(span).orElse(0) / Math.max(1, run.allowed()[growth.sinceSecond()]);
        return atMost("limit since second " + growth.sinceSecond() + " times", growth.times(), times);
    }

    private static Verdict noneFails(double goodput, double seen) {
        return new Verdict("without limit goodput below " + percent(goodput), percent(seen), seen < goodput);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", share * 100);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
