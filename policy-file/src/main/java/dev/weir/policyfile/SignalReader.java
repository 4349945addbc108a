package dev.weir.policyfile;

import dev.weir.load.SignalThreshold;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the signs of being full that a gate looks at. */
final class SignalReader {

    private SignalReader() {}

    /** All of them; empty when one is wrong. */
    static Optional<List<SignalThreshold>> all(Value value) {
        List<Value.Named> named = value.named(LoadDefinitions.SIGNALS);
        List<SignalThreshold> thresholds = new ArrayList<>();
        named.forEach(one -> read(one).ifPresent(thresholds::add));
        return named.isEmpty() || thresholds.size() < named.size() ? Optional.empty() : Optional.of(thresholds);
    }

    private static Optional<SignalThreshold> read(Value.Named one) {
        boolean gauge =
                one.name().startsWith(LoadDefinitions.GAUGE) && one.name().length() > LoadDefinitions.GAUGE.length();
        Optional<LoadDefinitions.Sign> sign = LoadDefinitions.SIGNS.stream()
                .filter(known -> known.name().equals(one.name()))
                .findFirst();
        if (sign.isEmpty() && !gauge) {
            List<String> known = LoadDefinitions.SIGNS.stream()
                    .map(LoadDefinitions.Sign::name)
                    .toList();
            one.misnamed("'" + Value.shown(one.name()) + "' is no signal" + Nearest.hint(one.name(), known)
                    + "; known are "
                    + String.join(
                            ", ",
                            Stream.concat(known.stream(), Stream.of(LoadDefinitions.GAUGE + "NAME"))
                                    .toList()));
            return Optional.empty();
        }
        boolean time = sign.isPresent() && sign.get().time();
        Optional<Double> threshold = time
                ? GatewayReader.duration(one.value()).map(duration -> (double) duration.toNanos())
                : GateReader.share(one.value());
        return threshold.map(above -> new SignalThreshold(one.name(), above));
    }
}
