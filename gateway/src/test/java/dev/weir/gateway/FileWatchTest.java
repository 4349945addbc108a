package dev.weir.gateway;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileWatchTest {

    @TempDir
    private Path folder;

    private Path file;
    private FileWatch watch;

    @BeforeEach
    void start() throws IOException {
        file = Files.writeString(folder.resolve("policy.yaml"), "one");
        watch = new FileWatch(() -> List.of(file));
    }

    @Test
    void whatRestsIsNoChange() throws IOException {
        assertThat(watch.changed()).isFalse();
        Files.writeString(file, "one");
        assertThat(watch.changed()).isFalse();
        assertThat(watch.changed()).isFalse();
    }

    @Test
    void aChangeIsToldOnceAndOnlyAtRest() throws IOException {
        Files.writeString(file, "two");
        assertThat(watch.changed()).isFalse();
        Files.writeString(file, "three");
        assertThat(watch.changed()).isFalse();
        assertThat(watch.changed()).isTrue();
        assertThat(watch.changed()).isFalse();
    }

    @Test
    void aReplacedFileIsAChange() throws IOException {
        Path next = Files.writeString(folder.resolve("next"), "two");
        Files.move(next, file, REPLACE_EXISTING);
        watch.changed();
        assertThat(watch.changed()).isTrue();
    }

    @Test
    void anotherLinkIsAChange() throws IOException {
        Path link = folder.resolve("link");
        Files.createSymbolicLink(link, file);
        FileWatch linked = new FileWatch(() -> List.of(link));
        Files.delete(link);
        Files.createSymbolicLink(link, Files.writeString(folder.resolve("other"), "two"));
        linked.changed();
        assertThat(linked.changed()).isTrue();
    }

    @Test
    void aFileThatGoesAndComesBackIsNoticed() throws IOException {
        Files.delete(file);
        watch.changed();
        assertThat(watch.changed()).isTrue();
        Files.writeString(file, "one");
        watch.changed();
        assertThat(watch.changed()).isTrue();
    }
}
