package dev.weir.cli.log;

/** Something of a call that has a name of its own, such as a header. The calls of a format share its list and hold a value for each. */
record NamedColumn(Kind kind, String name) {

    enum Kind {
        HEADER,
        COOKIE,
        RESPONSE_HEADER,
        ATTRIBUTE;

        /** Header names count in any case, the others as they are. */
        boolean same(String name, String other) {
            return (this == HEADER || this == RESPONSE_HEADER) ? name.equalsIgnoreCase(other) : name.equals(other);
        }
    }

    boolean is(Kind wanted, String wantedName) {
        return kind == wanted && kind.same(name, wantedName);
    }
}
