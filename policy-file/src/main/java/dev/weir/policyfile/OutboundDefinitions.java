package dev.weir.policyfile;

import static dev.weir.policyfile.Definitions.field;

import dev.weir.client.OutboundSettings;
import java.util.List;

/** The fields of the section outbound, each once. */
final class OutboundDefinitions {

    private OutboundDefinitions() {}

    static final Shape.Whole BURST = new Shape.Whole(1, 1_000_000);
    static final Shape.Whole TRIES = new Shape.Whole(1, OutboundSettings.Retry.MOST_TRIES);
    static final Shape.Words<Boolean> PACING = Definitions.words("bucket", false, "smooth", true);
    static final Shape.Words<Boolean> SCOPES = Definitions.words("instance", false, "fleet", true);
    static final Shape.Text BACKOFF = Shape.Text.like(
            "two durations, FIRST..LONGEST, such as 100ms..5s",
            "[0-9]{1,9}(ms|s|min|m|h|d)\\.\\.[0-9]{1,9}(ms|s|min|m|h|d)");
    static final Shape.Text K = Shape.Text.any("a number from 1 to 100, such as 2 or 1.5");

    static final Shape.Group RETRY = new Shape.Group(
            "retry",
            "How often a call is sent again after a refusal or a failure there, when it is safe to repeat and nobody above tries again.",
            List.of(
                    field("tries", TRIES, "3", "The most sends of one call, the first included.", "3"),
                    field(
                            "budget",
                            Definitions.PERCENT,
                            "any number of retries",
                            "Which share retries may be of the first sends of the last ten seconds.",
                            "10%"),
                    field(
                            "backoff",
                            BACKOFF,
                            "100ms..5s",
                            "Between which bounds a wait is drawn: from 0 to the first, which doubles with each retry up to the longest.",
                            "50ms..2s"),
                    field(
                            "methods",
                            new Shape.OneOrMore(Definitions.METHOD),
                            "none",
                            "Methods that this dependency may be asked twice, beside GET, HEAD, OPTIONS, TRACE, PUT, DELETE and whatever has an Idempotency-Key.",
                            "[POST]")));

    static final Shape.Group THROTTLE = new Shape.Group(
            "throttle",
            "Refuses here what would be refused there: the more it turned away in the last two minutes, the less it is asked.",
            List.of(field("k", K, "required", "How many calls may be sent for each that is accepted.", "2")));

    static final Shape.Group OUTBOUND = new Shape.Group(
            "dependency",
            "How a service that calls go out to is asked. What it says about itself, Retry-After and the RateLimit fields of any generation, is kept to beside this.",
            List.of(
                    field("rate", Definitions.RATE, "any number", "What may be sent over time.", "200/s"),
                    field(
                            "burst",
                            BURST,
                            "a tenth of an instance's count, at least 1",
                            "How many sends an idle time earns. Needs rate.",
                            "2"),
                    field(
                            "pacing",
                            PACING,
                            "bucket",
                            "Whether sends that come together may leave together as far as the burst goes, or are evenly spaced, which is a burst of 1. Needs rate.",
                            "smooth"),
                    field(
                            "max-wait",
                            Definitions.TIMEOUT,
                            "one turn of the rate, from 50ms to 1s",
                            "How long a call may wait to be sent, altogether. What cannot be sent by then is refused at once.",
                            "50ms"),
                    field(
                            "scope",
                            SCOPES,
                            "instance",
                            "Whose the rate is: each instance's, or that of all together, of which each has its part. Needs rate, and a store for fleet.",
                            "fleet"),
                    field(
                            "in-flight",
                            LoadDefinitions.CONCURRENCY,
                            "any number",
                            "How many calls may be under way at once: a number, or a way of finding one.",
                            "8"),
                    field(
                            "queue",
                            LoadDefinitions.PLACES,
                            "nobody waits for a slot",
                            "How many calls may wait for one of those under way to end. Needs in-flight.",
                            "16"),
                    field(
                            "retry",
                            RETRY,
                            "nothing is sent again",
                            RETRY.description(),
                            "{ budget: 10%, tries: 3, backoff: 100ms..5s }"),
                    field("throttle", THROTTLE, "none", THROTTLE.description(), "{ k: 2 }"),
                    field(
                            "hedge",
                            Definitions.TIMEOUT,
                            "never",
                            "After how long without an answer a second send joins the first, out of the same budget. Needs retry.",
                            "200ms"),
                    field(
                            "timeout",
                            Definitions.TIMEOUT,
                            "as long as the call's own deadline",
                            "How long a call may take with all its waits and retries.",
                            "2s"),
                    field(
                            "max-pause",
                            Definitions.TIMEOUT,
                            "5m",
                            "The longest pause that an answer can make us keep before it is asked again.",
                            "10m"),
                    field(
                            "share-pause",
                            Definitions.YES_OR_NO,
                            "yes with scope: fleet, otherwise no",
                            "Whether a pause that one instance of the fleet is asked for is kept by all. Needs a store.",
                            "yes"),
                    field(
                            "retry-after-ms",
                            Definitions.YES_OR_NO,
                            "no",
                            "Whether its field Retry-After-Ms is believed before Retry-After.",
                            "yes"),
                    field(
                            "hosts",
                            new Shape.OneOrMore(Definitions.HOST),
                            "none; programs name the dependency",
                            "Its hosts: whatever goes there is a call to it.",
                            "[api.pay.example, \"*.pay.example\"]")));

    static final Shape.Named OUTBOUNDS = new Shape.Named("dependency, in printable ASCII", OUTBOUND);
}
