package dev.weir.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The scenarios of the repository, each played once whoever asks. */
final class Folder {

    static final Path SCENARIOS = Path.of("scenarios");
    private static final boolean DEEP = Boolean.getBoolean("weir.deep");
    private static final ConcurrentHashMap<Path, Report> PLAYED = new ConcurrentHashMap<>();

    private Folder() {}

    /** All files, the long ones only when tests try harder. */
    static List<Path> scenarios() {
        try (Stream<Path> files = Files.walk(SCENARIOS, DEEP ? 2 : 1)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Scenario scenario(String name) {
        return read(SCENARIOS.resolve(name + ".yaml"));
    }

    static Scenario read(Path file) {
        try {
            return Scenario.load(file);
        } catch (BadScenario e) {
            throw new IllegalStateException(e);
        }
    }

    static Report report(Path file) {
        return PLAYED.computeIfAbsent(file, path -> Simulation.play(read(path)));
    }

    static Report report(String name) {
        return report(SCENARIOS.resolve(name + ".yaml"));
    }
}
