package dev.weir.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** A report as maps, lists, text and numbers: what JSON and charts are made of. */
final class ReportData {

    private final Report report;
    private final Scenario scenario;

    ReportData(Report report) {
        this.report = report;
        this.scenario = report.scenario();
    }

    Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("scenario", scenario.name());
        all.put("title", scenario.title());
        all.put("seconds", scenario.seconds());
        all.put("measured_from_s", scenario.measured().from());
        all.put("measured_to_s", scenario.measured().to());
        all.put("holds", report.holds());
        all.put("verdicts", report.verdicts().stream().map(ReportData::verdict).toList());
        all.put("contenders", report.runs().stream().map(this::contender).toList());
        return all;
    }

    private static Map<String, Object> verdict(Verdict verdict) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("demand", verdict.demand());
        fields.put("seen", verdict.seen());
        fields.put("holds", verdict.holds());
        return fields;
    }

    private Map<String, Object> contender(Played run) {
        Span span = scenario.measured();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", run.name());
        fields.put("goodput", run.goodput(span));
        fields.put("p99_ms", run.p99Millis(span));
        fields.put("late", run.late(span));
        fields.put("refused", run.refused(span));
        fields.put("refused_falsely", run.refusedFalsely(span));
        put(fields, "settled_s", run.settledAfter(scenario.must().goodput().orElse(0.9)));
        put(fields, "limit", run.limitAtEnd(span));
        put(fields, "limit_in_knees", run.limitToKnee(span));
        fields.put("moves", moves(run));
        fields.put("by_second", bySecond(run));
        return fields;
    }

    private static void put(Map<String, Object> fields, String name, OptionalDouble value) {
        if (value.isPresent()) {
            fields.put(name, value.getAsDouble());
        }
    }

    private static void put(Map<String, Object> fields, String name, OptionalInt value) {
        if (value.isPresent()) {
            fields.put(name, value.getAsInt());
        }
    }

    private static Map<String, Object> moves(Played run) {
        Map<String, Object> moves = new LinkedHashMap<>();
        run.moves().forEach((reason, count) -> moves.put(reason.word(), count));
        return moves;
    }

    private static Map<String, Object> bySecond(Played run) {
        Map<String, Object> series = new LinkedHashMap<>();
        series.put("offered", longs(run.offered()));
        series.put("good", longs(run.good()));
        series.put("refused", longs(run.meters().refused));
        series.put("in_flight", doubles(run.meters().inFlight().bySecond()));
        series.put("limit", run.isBounded() ? doubles(run.allowed()) : List.of());
        series.put("p99_ms", doubles(run.p99MillisBySecond()));
        return series;
    }

    private static List<Object> longs(long[] values) {
        List<Object> list = new ArrayList<>();
        for (long value : values) {
            list.add(value);
        }
        return list;
    }

    /** Rounded to hundredths, which no eye on a chart misses. */
    private static List<Object> doubles(double[] values) {
        List<Object> list = new ArrayList<>();
        for (double value : values) {
            list.add(Math.round(value * 100) / 100.0);
        }
        return list;
    }
}
