/**
 * The command line, {@code ./weir COMMAND}. Nothing depends on it.
 *
 * <p>Start at {@link dev.weir.cli.Main}: it parses the arguments, turns every failure into one sentence on standard error and an exit
 * code, and names the commands in one line. Each command is one class, {@link dev.weir.cli.HashCommand} is the smallest; it reports
 * through {@link dev.weir.cli.Streams} and, under {@code --json}, through {@link dev.weir.cli.Json}.
 *
 * <p>Not here: what a policy means and how it is judged. Commands call the library and print.
 */
package dev.weir.cli;
