package dev.weir.policyfile;

import java.util.Comparator;

/** A place in a text: line and column from 1, columns in code points. */
record Place(int line, int column) implements Comparable<Place> {

    static final Place START = new Place(1, 1);

    private static final Comparator<Place> ORDER =
            Comparator.comparingInt(Place::line).thenComparingInt(Place::column);

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }
}
