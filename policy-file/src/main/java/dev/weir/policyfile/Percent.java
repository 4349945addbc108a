package dev.weir.policyfile;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A percentage in hundredths of a percent. */
final class Percent {

    private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3})(?:\\.([0-9]{1,2}))?%");

    private Percent() {}

    /** From 0 to 10,000. */
    static int basisPoints(String text) {
        Matcher matcher = PERCENT.matcher(text);
        if (matcher.matches()) {
            String hundredths = matcher.group(2) == null ? "00" : (matcher.group(2) + "0").substring(0, 2);
            int basisPoints = Integer.parseInt(matcher.group(1)) * 100 + Integer.parseInt(hundredths);
            if (basisPoints <= 10_000) {
                return basisPoints;
            }
        }
        throw new IllegalArgumentException("'" + Value.shown(text) + "' is not " + Definitions.PERCENT.grammar());
    }
}
