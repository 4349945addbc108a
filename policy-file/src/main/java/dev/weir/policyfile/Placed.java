package dev.weir.policyfile;

/** Something read from a file, and where it stands. */
record Placed<T>(T value, Place place) {}
