package dev.weir.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadTest {

    @TempDir
    Path directory;

    @Test
    void aFileOnDiskFindsItsPlansBesideIt() throws IOException {
        Files.createDirectories(directory.resolve("lists"));
        Files.writeString(directory.resolve("lists/plans.csv"), "a,pro");
        Path file = directory.resolve("policy.yaml");
        Files.writeString(file, "weir: 1\nplans: { from: file:lists/plans.csv }\n");
        assertThat(PolicyFile.load(file, Map.of(), Reads.NOW)).isInstanceOf(Loaded.Understood.class);
    }

    @Test
    void aFileThatCannotBeReadIsRefused() throws IOException {
        assertThat(refused(directory.resolve("none.yaml")))
                .endsWith("none.yaml:1:1: the file cannot be read: there is no such file");
        assertThat(refused(directory)).endsWith(":1:1: this is not a file but a directory or a device");
        Path latin = directory.resolve("latin.yaml");
        Files.write(latin, "weir: 1\n# caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(refused(latin)).endsWith("latin.yaml:2:6: the bytes here are not UTF-8: save the file as UTF-8");
        Path large = directory.resolve("large.yaml");
        Files.writeString(large, "weir: 1\n" + "#\n".repeat(1 << 20));
        assertThat(refused(large)).endsWith("large.yaml:1:1: the file is larger than 1 MiB, the most that is read");
    }

    private static String refused(Path file) {
        Loaded loaded = PolicyFile.load(file, Map.of(), Reads.NOW);
        return ((Loaded.Refused) loaded).problems().get(0).toString();
    }
}
