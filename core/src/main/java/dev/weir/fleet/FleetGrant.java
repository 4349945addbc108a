package dev.weir.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an admitted call was charged by its fleet limits: corrected once its true costs are known, given back as if it had not come, or
 * ended. Thread safe. Each line is corrected once; after {@link #giveBack} or {@link #end} nothing more happens.
 */
public final class FleetGrant {

    /** Where one line, or several that share a receipt, were charged. */
    interface Part {

        /** The line really cost so much; other lines of the part may still be open. */
        void correct(int line, long actualUnits);

        /** No more corrections come for now: what has been said is sent. */
        void flush();

        /** As if the call had not come. */
        void giveBack();

        /** The call ended: lets go what is held in flight. */
        void end();
    }

    private final List<Optional<Part>> partOfLine;
    private final List<Part> parts;
    private final boolean[] corrected;
    private boolean over;

    FleetGrant(List<Optional<Part>> partOfLine) {
        this.partOfLine = List.copyOf(partOfLine);
        this.parts = new ArrayList<>(partOfLine.size());
        for (Optional<Part> part : partOfLine) {
            if (part.isPresent() && !parts.contains(part.get())) {
                parts.add(part.get());
            }
        }
        this.corrected = new boolean[partOfLine.size()];
    }

    /** The line at that place of the bill really cost so much: less is given back, more is charged on top. Sent with {@link #flush}. */
    public synchronized void correct(int line, long actualUnits) {
        if (over || corrected[line]) {
            return;
        }
        corrected[line] = true;
        partOfLine.get(line).ifPresent(part -> part.correct(line, actualUnits));
    }

    /** Sends the corrections that were made. Lines that share a receipt with them can then not be corrected any more. */
    public synchronized void flush() {
        if (!over) {
            parts.forEach(Part::flush);
        }
    }

    /** As if the call had not come. */
    public synchronized void giveBack() {
        if (!over) {
            over = true;
            for (int i = parts.size() - 1; i >= 0; i--) {
                parts.get(i).giveBack();
            }
        }
    }

    /** The call ended: corrections are sent, and what is held in flight is let go. */
    public synchronized void end() {
        if (!over) {
            over = true;
            parts.forEach(Part::flush);
            parts.forEach(Part::end);
        }
    }
}
