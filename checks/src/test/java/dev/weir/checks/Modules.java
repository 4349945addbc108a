package dev.weir.checks;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;

/** The modules of the repository and the classes they were built into. */
final class Modules {
    /** What is released, by folder. */
    static final List<String> PUBLISHED =
            List.of("core", "policy-file", "hikaricp", "redis", "okhttp", "apache-httpclient");

    /** All with production classes. */
    static final List<String> ALL =
            List.of("core", "policy-file", "hikaricp", "redis", "okhttp", "apache-httpclient", "gateway", "sim", "cli");

    private Modules() {}

    /** The repository's folder. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("weir")) || !Files.exists(folder.resolve("core/pom.xml"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("run the checks inside the repository");
            }
        }
        return folder;
    }

    /** The classes of some modules, from the jars or folders on the class path. */
    static JavaClasses classesOf(List<String> modules) {
        return new ClassFileImporter()
                .importLocations(modules.stream()
                        .filter(module -> Files.exists(root().resolve(module).resolve("src/main/java")))
                        .map(Modules::onClassPath)
                        .toList());
    }

    private static Location onClassPath(String module) {
        Path target = root().resolve(module).resolve("target");
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(entry -> entry.startsWith(target))
                .findFirst()
                .map(entry -> Files.isDirectory(entry) ? Location.of(entry) : Location.of(jar(entry)))
                .orElseThrow(() -> new IllegalStateException(
                        "module " + module + " is not on the class path: add it to checks/pom.xml"));
    }

    private static JarFile jar(Path path) {
        try {
            return new JarFile(path.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
