package dev.weir.policyfile;

/**
 * The one definition of a field.
 *
 * @param name as written in the file
 * @param shape what its value may be
 * @param otherwise what holds when it is left out
 * @param description one sentence
 * @param example a value, as written in the file
 */
record Field(String name, Shape shape, String otherwise, String description, String example) {}
