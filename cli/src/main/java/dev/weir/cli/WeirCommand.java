package dev.weir.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir} itself: knows its version and that a command must follow. */
@Command(
        name = "weir",
        description = "Admission control for services: rate limits, concurrency limits, and what they would do.",
        versionProvider = WeirCommand.Version.class,
        footer = {
            "",
            "Exit codes: 0 done, 2 wrong usage or bad input, 3 a defect in Weir; a command's help names others.",
            "WEIR_JAVA_OPTS is passed to the JVM."
        })
final class WeirCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Override
    public void run() {
        CommandLine weir = spec.commandLine();
        throw new ParameterException(
                weir,
                "A command is missing: give one of "
                        + String.join(", ", weir.getSubcommands().keySet()) + ".");
    }

    /** The version that the jar was built as. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = WeirCommand.class.getPackage().getImplementationVersion();
            return new String[] {"weir " + (version == null ? "(not built as a jar)" : version)};
        }
    }
}
