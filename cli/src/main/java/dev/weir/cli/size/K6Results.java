package dev.weir.cli.size;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/**
 * The summaries of k6: one object a run, one after the other or in a list. {@code --summary-export} writes the numbers of a metric into it,
 * {@code handleSummary} into its {@code values}; times are in milliseconds in both.
 */
final class K6Results {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final String REMEDY = ": give what k6 --summary-export or handleSummary wrote";

    private final List<LoadPoint> points = new ArrayList<>();

    private K6Results() {}

    static List<LoadPoint> read(String text) throws BadResults {
        K6Results results = new K6Results();
        int line = 1;
        try (MappingIterator<JsonNode> documents =
                MAPPER.readerFor(JsonNode.class).readValues(text)) {
            while (documents.hasNextValue()) {
                line = Math.max(line, documents.currentLocation().getLineNr());
                results.document(line, documents.nextValue());
            }
        } catch (JacksonException e) {
            int at = e.getLocation() == null
                    ? line
                    : Math.max(line, e.getLocation().getLineNr());
            throw new BadResults(
                    at,
                    "this is not JSON ("
                            + e.getOriginalMessage().lines().findFirst().orElse("") + ")" + REMEDY);
        }
        if (results.points.isEmpty()) {
            throw new BadResults(1, "there is no summary in the list" + REMEDY);
        }
        return results.points;
    }

    private void document(int line, JsonNode document) throws BadResults {
        if (document.isArray()) {
            for (JsonNode each : document) {
                document(line, each);
            }
            return;
        }
        if (document.has("type") && document.has("metric")) {
            throw new BadResults(line, "this is the stream of k6 --out json, which has no totals" + REMEDY);
        }
        double ratePerSecond = number(line, document, "http_reqs", "rate");
        double latencyMs = number(line, document, "http_req_duration", "avg");
        points.add(Measured.point(line, ratePerSecond, latencyMs, failedShare(document), 1));
    }

    private static JsonNode values(JsonNode document, String metric) {
        JsonNode found = document.path("metrics").path(metric);
        return found.has("values") ? found.path("values") : found;
    }

    private static double number(int line, JsonNode document, String metric, String name) throws BadResults {
        JsonNode number = values(document, metric).path(name);
        if (!number.isNumber()) {
            throw new BadResults(line, "metrics." + metric + "." + name + " is missing or no number" + REMEDY);
        }
        return number.asDouble();
    }

    /** Called {@code rate} by one writer and {@code value} by the other. A test that makes no such metric had no errors that k6 knows of. */
    private static double failedShare(JsonNode document) {
        JsonNode failed = values(document, "http_req_failed");
        return failed.path("rate").isNumber()
                ? failed.path("rate").asDouble()
                : failed.path("value").asDouble(0);
    }
}
