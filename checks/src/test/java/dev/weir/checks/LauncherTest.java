package dev.weir.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./weir} in a project of its own, with a java and an mvn that only tell how they were called. */
class LauncherTest {
    private static final Instant BUILT = Instant.parse("2026-01-02T00:00:00Z");
    private static final Instant BEFORE = BUILT.minusSeconds(1);
    private static final Instant AFTER = BUILT.plusSeconds(1);

    @TempDir
    private Path folder;

    private Path project;

    @BeforeEach
    void project() throws IOException {
        project = Files.createDirectories(folder.toRealPath().resolve("a project"));
        Files.copy(Modules.root().resolve("weir"), project.resolve("weir"));
        for (String module : Modules.ALL) {
            file(module + "/pom.xml", "", BEFORE);
        }
        file("pom.xml", "", BEFORE);
        file("core/src/main/A.java", "", BEFORE);
        setTime("core/src/main", BEFORE);
        file("cli/target/app/built", "", BUILT);
        file("jdk/release", "JAVA_VERSION=\"17.0.1\"\n", BEFORE);
        script("jdk/bin/java", "printf '%s\\n' java \"$@\"");
        script("jdk/bin/javac", "");
        script(
                "bin/mvn",
                "mkdir -p cli/target/lib; touch cli/target/weir-cli.jar; printf '%s\\n' mvn \"$JAVA_HOME\" \"$@\" > mvn.log");
    }

    @Test
    void startsWhatWasBuilt() throws Exception {
        Ran ran = run(project.resolve("weir"), Map.of("WEIR_JAVA_OPTS", "-Xmx64m -Da=*"), "hash", "a key");

        assertThat(ran.err).isEmpty();
        assertThat(ran.exitCode).isZero();
        assertThat(ran.out.lines())
                .startsWith("java")
                .containsSubsequence(
                        "-Xmx64m", "-Da=*", "-jar", project + "/cli/target/app/weir-cli.jar", "hash", "a key");
        assertThat(project.resolve("mvn.log")).doesNotExist();
    }

    @Test
    void takesTheCollectorThatIsAskedFor() throws Exception {
        assertThat(run(project.resolve("weir"), Map.of(), "gateway").out).contains("-XX:+UseParallelGC");
        assertThat(run(project.resolve("weir"), Map.of(), "hash").out).contains("-XX:+UseSerialGC");
        String asked = "-Xmx64m -XX:+UseZGC";
        for (String command : new String[] {"gateway", "hash"}) {
            assertThat(run(project.resolve("weir"), Map.of("WEIR_JAVA_OPTS", asked), command)
                            .out
                            .lines())
                    .filteredOn(option -> option.endsWith("GC"))
                    .containsExactly("-XX:+UseZGC");
        }
    }

    @Test
    void startsThroughSymbolicLinks() throws Exception {
        Path links = Files.createDirectories(folder.resolve("links/deep"));
        Files.createSymbolicLink(links.resolve("one"), project.resolve("weir"));
        Files.createSymbolicLink(links.resolveSibling("two"), Path.of("deep/one"));

        assertThat(run(links.resolveSibling("two"), Map.of()).out).contains(project + "/cli/target/app/weir-cli.jar");
    }

    @Test
    void buildsAgainWhenSourcesAreNewer() throws Exception {
        setTime("core/src/main/A.java", AFTER);

        Ran ran = run(project.resolve("weir"), Map.of(), "hash");

        assertThat(ran.err).isEqualTo("weir: building\n");
        assertThat(ran.out).contains("weir-cli.jar");
        assertThat(Files.readAllLines(project.resolve("mvn.log")))
                .startsWith("mvn", project + "/jdk")
                .endsWith("package", "-pl", "cli", "-am");
        assertThat(project.resolve("cli/target/app/weir-cli.jar")).exists();
        assertThat(run(project.resolve("weir"), Map.of(), "hash").err).isEmpty();
    }

    @Test
    void buildsAgainWhenASourceWentAway() throws Exception {
        Files.delete(project.resolve("core/src/main/A.java"));

        assertThat(run(project.resolve("weir"), Map.of()).err).isEqualTo("weir: building\n");
    }

    @Test
    void showsWhatMavenSaidWhenTheBuildFails() throws Exception {
        Files.delete(project.resolve("cli/target/app/built"));
        script("bin/mvn", "echo '[ERROR] on its output'; echo 'and its error' >&2; exit 1");

        Ran ran = run(project.resolve("weir"), Map.of());

        assertThat(ran.exitCode).isEqualTo(2);
        assertThat(ran.err).contains("[ERROR] on its output\nand its error\nweir: the build failed");
        assertThat(ran.out).isEmpty();
    }

    @Test
    void saysWhatToInstall() throws Exception {
        assertRefused(
                run(project.resolve("weir"), Map.of("JAVA_HOME", "/none")),
                "JAVA_HOME is '/none', where there is no bin/java: install a JDK, version 17 or newer");

        file("jdk/release", "JAVA_VERSION=\"11.0.2\"\n", BEFORE);
        assertRefused(
                run(project.resolve("weir"), Map.of()),
                "'" + project + "/jdk/bin/java' is Java 11.0.2, which is too old: install a JDK");

        file("jdk/release", "JAVA_VERSION=\"1.8.0_402\"\n", BEFORE);
        assertRefused(
                run(project.resolve("weir"), Map.of()),
                "'" + project + "/jdk/bin/java' is Java 1.8.0_402, which is too old: install a JDK");
    }

    @Test
    void saysThatItMustBuildAndLacksACompiler() throws Exception {
        Files.delete(project.resolve("cli/target/app/built"));
        Files.delete(project.resolve("jdk/bin/javac"));

        assertRefused(
                run(project.resolve("weir"), Map.of()),
                "Weir must be built first, but '" + project + "/jdk' has no compiler: install a JDK");
    }

    private record Ran(int exitCode, String out, String err) {}

    private static void assertRefused(Ran ran, String sentence) {
        assertThat(ran.err).startsWith("weir: " + sentence).hasLineCount(1);
        assertThat(ran.exitCode).isEqualTo(2);
        assertThat(ran.out).isEmpty();
    }

    private Ran run(Path launcher, Map<String, String> environment, String... args) throws Exception {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of("bash", launcher.toString()), Stream.of(args))
                                .toList())
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", project.resolve("jdk").toString());
        builder.environment().merge("PATH", project.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
        builder.environment().remove("WEIR_JAVA_OPTS");
        builder.environment().putAll(environment);
        int exitCode = builder.start().waitFor();
        return new Ran(exitCode, Files.readString(out), Files.readString(err));
    }

    private void file(String name, String text, Instant time) throws IOException {
        Path file = project.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text, StandardCharsets.UTF_8);
        setTime(name, time);
    }

    private void script(String name, String body) throws IOException {
        file(name, "#!/bin/sh\n" + body + "\n", BEFORE);
        Files.setPosixFilePermissions(project.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void setTime(String name, Instant time) throws IOException {
        Files.setLastModifiedTime(project.resolve(name), FileTime.from(time));
    }
}
