package dev.weir.policyfile;

import java.util.List;

/** YAML as far as a policy uses it: text at places, not yet numbers or words. */
sealed interface Yaml {

    /** Where it begins; for a value that was left out, where the name of its field begins. */
    Place place();

    /**
     * One value.
     *
     * @param text as written, escapes resolved, variables not
     * @param plain whether it stands without quotes
     */
    record Scalar(Place place, String text, boolean plain) implements Yaml {}

    /** A list. */
    record Sequence(Place place, List<Yaml> items) implements Yaml {}

    /** Names and values, in order; doubled names are still in it. */
    record Mapping(Place place, List<Entry> entries) implements Yaml {}

    /** Something that has been reported already and has no meaning. */
    record Broken(Place place) implements Yaml {}

    /** A name and its value. */
    record Entry(Yaml name, Yaml value) {}
}
