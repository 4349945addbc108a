package dev.weir.cli.log;

/**
 * What one value of a line means.
 *
 * @param field the part of a call it is
 * @param rank which value counts where a line has several for one part: the lowest
 * @param slot for {@link Field#NAMED}, the index among the format's named columns
 * @param nanosPerUnit for {@link Field#DURATION}, its unit
 */
record Column(Field field, int rank, int slot, long nanosPerUnit) {

    enum Field {
        TIME("the time"),
        PEER("the client address"),
        REQUEST("the request"),
        METHOD("the method"),
        TARGET("the request target"),
        PATH("the path"),
        QUERY("the query"),
        HOST("the host"),
        USER("the user"),
        STATUS("the status"),
        BYTES("the bytes"),
        DURATION("the duration"),
        QUESTION_MARK("the question mark"),
        NAMED("a header"),
        SKIPPED("a field");

        private final String words;

        Field(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    static final Column SKIPPED = of(Field.SKIPPED);

    static Column of(Field field) {
        return of(field, 0);
    }

    static Column of(Field field, int rank) {
        return new Column(field, rank, 0, 0);
    }

    static Column duration(long nanosPerUnit, int rank) {
        return new Column(Field.DURATION, rank, 0, nanosPerUnit);
    }

    static Column named(int slot, int rank) {
        return new Column(Field.NAMED, rank, slot, 0);
    }
}
