package dev.weir.cli.log;

import java.io.Console;
import java.io.PrintStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A bar on a terminal that shows how far a long run of work has come. It is drawn when enough was done, not when enough time has passed, so that
 * counting costs nothing, and it is wiped away at the end. Not for several threads at once.
 */
public final class Progress {

    private static final int CELLS = 30;
    private static final int STEPS = 200;
    private static final long STEP_WITHOUT_TOTAL = 1L << 22;

    private final @Nullable PrintStream out;
    private String what = "";
    private long total;
    private long done;
    private long nextDraw;
    private int drawnWidth;

    private Progress(@Nullable PrintStream out) {
        this.out = out;
    }

    /** Shows nothing. */
    public static Progress none() {
        return new Progress(null);
    }

    /** Shows a bar if a person sits at a terminal, otherwise nothing. */
    public static Progress onTerminal(PrintStream terminal) {
        return atTerminal() ? to(terminal) : none();
    }

    /** Before Java 22 there is a console only at a terminal; since then it can be asked, and Java 17 cannot name the question. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean atTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    /** Shows a bar wherever this leads. */
    public static Progress to(PrintStream out) {
        return new Progress(out);
    }

    /**
     * Begins a piece of work.
     *
     * @param work what is done, such as {@code reading}
     * @param totalUnits how much it is, in any unit; 0 or less when nobody knows
     */
    public void begin(String work, long totalUnits) {
        end();
        what = work;
        total = totalUnits;
        done = 0;
        nextDraw = step();
    }

    /** So much more is done. */
    public void advance(long units) {
        done += units;
        if (done >= nextDraw && out != null) {
            nextDraw = done + step();
            draw(out);
        }
    }

    private long step() {
        return total <= 0 ? STEP_WITHOUT_TOTAL : Math.max(1, total / STEPS);
    }

    private void draw(PrintStream to) {
        String line;
        if (total <= 0) {
            line = String.format(Locale.ROOT, "%s: %,d so far", what, done);
        } else {
            long shown = Math.min(done, total);
            int cells = (int) (shown * 1.0 / total * CELLS);
            int percent = (int) (shown * 1.0 / total * 100);
            line = what + " [" + "#".repeat(cells) + " ".repeat(CELLS - cells) + "] " + percent + " %";
        }
        to.print("\r" + line);
        to.flush();
        drawnWidth = Math.max(drawnWidth, line.length());
    }

    /** Ends the work and wipes the bar away. */
    public void end() {
        if (drawnWidth > 0 && out != null) {
            out.print("\r" + " ".repeat(drawnWidth) + "\r");
            out.flush();
        }
        drawnWidth = 0;
    }
}
