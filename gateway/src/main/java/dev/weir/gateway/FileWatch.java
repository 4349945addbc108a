package dev.weir.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Notices that files changed, by what they hold: it does not matter whether they were edited, replaced or reached by another link. A file
 * that changes again and again is reported once it rests for one look. Not thread safe.
 */
final class FileWatch {

    private final Supplier<List<Path>> files;
    private List<String> reported;
    private List<String> lastLook;

    FileWatch(Supplier<List<Path>> files) {
        this.files = files;
        reported = look();
        lastLook = reported;
    }

    /** Whether they differ from when that was last answered with yes, and are at rest. */
    synchronized boolean changed() {
        List<String> look = look();
        boolean rests = look.equals(lastLook);
        lastLook = look;
        if (!rests || look.equals(reported)) {
            return false;
        }
        reported = look;
        return true;
    }

    private List<String> look() {
        List<String> hashes = new ArrayList<>();
        for (Path file : files.get()) {
            try {
                hashes.add(Files.exists(file) ? Running.hash(file) : "absent");
            } catch (IOException e) {
                hashes.add("unreadable");
            }
        }
        return hashes;
    }
}
