package dev.weir.policyfile;

import dev.weir.policy.Plans;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the file that says which key is on which plan. A row is a key or {@code sha256:HEX}, a comma, a plan, and if it ends another comma
 * and a date or instant. Blanks around each are not part of it, a line that begins with {@code #} is a comment, and there is no header row.
 */
final class PlanFile {

    private static final int MAX_BYTES = 64 << 20;
    private static final int MOST_PROBLEMS = 1_000;

    private final Path file;
    private final Reading reading;
    private final Map<String, Plans.Row> rows = new HashMap<>();
    private final Map<String, Integer> lines = new HashMap<>();
    private int problems;

    private PlanFile(Path file, Reading reading) {
        this.file = file;
        this.reading = reading;
    }

    /** The rows of the file that {@code value} names; empty when it cannot be read or one of them is wrong. */
    static Optional<Plans.Source> read(Value value, String path, Reading reading) {
        Path file;
        String text;
        try {
            file = reading.baseDirectory().resolve(path);
            reading.readsAlong(file);
            text = TextFile.read(file, MAX_BYTES);
        } catch (InvalidPathException e) {
            return value.wrong("'" + Value.shown(path) + "' is not a path: " + e.getReason());
        } catch (TextFile.Unreadable unreadable) {
            Path named = reading.baseDirectory().resolve(path);
            if (unreadable.place().equals(Place.START)) {
                return value.wrong("plan file '" + named + "': " + unreadable.reason());
            }
            reading.problemInPlans(named, unreadable.place(), unreadable.reason());
            return Optional.empty();
        } catch (IOException e) {
            return value.wrong("plan file '" + Value.shown(path) + "' cannot be read: " + TextFile.reason(e));
        }
        return new PlanFile(file, reading).rows(text);
    }

    private Optional<Plans.Source> rows(String text) {
        String body = text.startsWith("\ufeff") ? text.substring(1) : text;
        String[] all = body.split("\r\n|\n|\r", -1);
        for (int i = 0; i < all.length; i++) {
            String line = all[i].strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                row(i + 1, all[i]);
            }
            if (problems >= MOST_PROBLEMS) {
                wrong(new Place(i + 1, 1), "there have been " + MOST_PROBLEMS + " errors: the rest was not read");
                break;
            }
        }
        if (problems == 0 && rows.isEmpty()) {
            wrong(Place.START, "the plan file has no row: a key, a comma and a plan");
        }
        return problems == 0 ? Optional.of(new Plans.Source.Rows(rows)) : Optional.empty();
    }

    private void row(int line, String text) {
        String[] cells = text.split(",", -1);
        Place[] places = places(line, cells);
        for (int i = 0; i < cells.length; i++) {
            Optional<String> strange = Characters.refusedIn(cells[i].strip());
            if (strange.isPresent()) {
                wrong(places[i], "the text holds " + strange.get() + ": remove it");
                return;
            }
            if (cells[i].isBlank()) {
                wrong(
                        places[i],
                        i == 0 ? "the key is empty" : i == 1 ? "the plan is empty" : "nothing stands behind the comma");
                return;
            }
        }
        if (cells.length < 2 || cells.length > 3) {
            wrong(
                    places[0],
                    "a row has a key, a plan and, if it ends, a date: this one has " + cells.length
                            + (cells.length == 1 ? " part" : " parts; give a key with a comma as sha256:HEX"));
            return;
        }
        String key = cells[0].strip();
        String plan = cells[1].strip();
        if (rows.isEmpty() && key.equals("key") && plan.equals("plan")) {
            wrong(places[0], "this is a header row: the file has none; remove it");
            return;
        }
        if (key.startsWith("\"") || plan.startsWith("\"")) {
            wrong(places[key.startsWith("\"") ? 0 : 1], "quotes are not part of this format: leave them out");
            return;
        }
        Optional<String> digest = digest(line, key, places[0]);
        Optional<Instant> until = until(cells, places);
        digest.ifPresent(known -> rows.put(known, new Plans.Row(plan, until)));
    }

    /** The digest of a key; empty when it is wrong or stands on another line already. */
    private Optional<String> digest(int line, String key, Place place) {
        try {
            String digest = NamedKey.digest(key);
            Integer before = lines.putIfAbsent(digest, line);
            if (before == null) {
                return Optional.of(digest);
            }
            wrong(place, "this key stands on line " + before + " already: remove one");
        } catch (IllegalArgumentException e) {
            wrong(place, String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }

    private Optional<Instant> until(String[] cells, Place[] places) {
        if (cells.length < 3) {
            return Optional.empty();
        }
        try {
            return Optional.of(Until.parse(cells[2].strip()));
        } catch (IllegalArgumentException e) {
            wrong(places[2], String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private static Place[] places(int line, String[] cells) {
        Place[] places = new Place[cells.length];
        int column = 1;
        for (int i = 0; i < cells.length; i++) {
            String cell = cells[i];
            int blanks = cell.length() - cell.stripLeading().length();
            places[i] = new Place(line, column + (cell.isBlank() ? 0 : blanks));
            column += cell.codePointCount(0, cell.length()) + 1;
        }
        return places;
    }

    private void wrong(Place place, String message) {
        problems++;
        reading.problemInPlans(file, place, message);
    }
}
