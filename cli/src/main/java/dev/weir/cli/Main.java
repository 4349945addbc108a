package dev.weir.cli;

import dev.weir.policyfile.Nearest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Where the process starts and ends: arguments in, exit code out, every failure as one sentence on standard error. */
final class Main {
    static final int OK = 0;
    static final int BAD_INPUT = 2;
    static final int DEFECT = 3;
    /** What a shell reports for a program that ended because its reader had gone. */
    static final int READER_HAS_GONE = 141;

    private Main() {}

    /** The commands, in the order of the help page. A new one takes its place here. */
    private static List<Object> commands(Streams streams) {
        return List.of(
                new DemoCommand(streams),
                new GatewayCommand(streams),
                new CheckCommand(streams),
                new ExplainCommand(streams),
                new TraceCommand(streams),
                new ReplayCommand(streams),
                new SimulateCommand(streams),
                new SizeCommand(streams),
                new KeysCommand(streams),
                new SetCommand(streams),
                new HashCommand(streams));
    }

    public static void main(String[] args) {
        System.exit(run(Streams.ofProcess(), args));
    }

    /** Runs one command line to its end. */
    static int run(Streams streams, String... args) {
        try {
            int exitCode = commandLine(streams).execute(args);
            streams.out().flush();
            return exitCode;
        } catch (Streams.WriteFailed e) {
            return writeFailed(streams, e);
        }
    }

    static CommandLine commandLine(Streams streams) {
        CommandLine weir = new CommandLine(new WeirCommand());
        commands(streams).forEach(weir::addSubcommand);
        weir.getCommandSpec().mixinStandardHelpOptions(true);
        everyCommand(weir).forEach(Main::giveHelp);
        weir.setOut(streams.out());
        weir.setErr(streams.err());
        weir.setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
        weir.setUsageHelpWidth(100);
        weir.setParameterExceptionHandler((e, unused) -> usageFailed(streams, e));
        weir.setExecutionStrategy(Main::runLast);
        weir.setExecutionExceptionHandler((e, command, unused) -> failed(streams, command, e));
        return weir;
    }

    private static List<CommandLine> everyCommand(CommandLine top) {
        List<CommandLine> all = new ArrayList<>(List.of(top));
        top.getSubcommands().values().forEach(sub -> all.addAll(everyCommand(sub)));
        return all;
    }

    private static void giveHelp(CommandLine command) {
        if (!command.getCommandSpec().optionsMap().containsKey("--help")) {
            command.getCommandSpec()
                    .addOption(OptionSpec.builder("-h", "--help")
                            .arity("0")
                            .usageHelp(true)
                            .description("Show this help message and exit.")
                            .build());
        }
    }

    /** The parser lets anything pass beside {@code --help}; a command that does not exist has no help. */
    private static int runLast(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        if (!last.unmatched().isEmpty()) {
            throw new UnmatchedArgumentException(last.commandSpec().commandLine(), last.unmatched());
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static int usageFailed(Streams streams, ParameterException e) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        return refuse(streams, sentence(e, command, name) + " '" + name + " --help' says more.");
    }

    private static String sentence(ParameterException e, CommandLine command, String name) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().get(0);
            if (word.startsWith("-")) {
                return unknown("'" + word + "' is not an option of '" + name + "'", word, options(command));
            }
            Collection<String> subcommands = command.getSubcommands().keySet();
            return subcommands.isEmpty()
                    ? "'" + word + "' is one argument too many for '" + name
                            + "': leave it out, or quote an argument that holds spaces."
                    : unknown("'" + word + "' is not a command of '" + name + "'", word, subcommands);
        }
        if (e instanceof MissingParameterException missing) {
            return "'" + name + "' needs "
                    + missing.getMissing().stream().map(Main::label).collect(Collectors.joining(" and ")) + ".";
        }
        String message = String.valueOf(e.getMessage());
        return message.endsWith(".") ? message : message + ".";
    }

    private static String label(ArgSpec argument) {
        return argument instanceof OptionSpec option
                ? option.longestName() + (argument.arity().max() == 0 ? "" : " " + argument.paramLabel())
                : argument.paramLabel();
    }

    private static List<String> options(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .map(OptionSpec::longestName)
                .toList();
    }

    private static String unknown(String what, String typed, Collection<String> known) {
        return what + ": "
                + Nearest.to(typed, known)
                        .map(word -> "did you mean '" + word + "'?")
                        .orElseGet(() -> "give one of " + String.join(", ", known) + ".");
    }

    private static int failed(Streams streams, CommandLine command, Exception e) {
        if (e instanceof BadInput) {
            return refuse(streams, String.valueOf(e.getMessage()));
        }
        if (e instanceof Streams.WriteFailed writeFailed) {
            return writeFailed(streams, writeFailed);
        }
        streams.err()
                .println("weir: '" + command.getCommandSpec().qualifiedName()
                        + "' failed by a defect in Weir; please report this:");
        e.printStackTrace(streams.err());
        return DEFECT;
    }

    private static int writeFailed(Streams streams, Streams.WriteFailed e) {
        if (e.readerHasGone()) {
            return READER_HAS_GONE;
        }
        return refuse(streams, "Standard output cannot be written (" + e.getMessage() + "): send it elsewhere.");
    }

    private static int refuse(Streams streams, String sentence) {
        streams.err().println("weir: " + sentence);
        return BAD_INPUT;
    }
}
