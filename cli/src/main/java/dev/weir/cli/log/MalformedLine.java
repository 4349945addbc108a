package dev.weir.cli.log;

/**
 * A line that is no call.
 *
 * @param file the log's name as it was given; {@code -} for the standard input
 * @param line the line's number in that file, from 1
 * @param reason what was expected, and at which column or field
 */
public record MalformedLine(String file, long line, String reason) {}
