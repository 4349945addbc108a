package dev.weir.sim;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Lines over the seconds of a run, as SVG. The scale is that of the lines that are bounded; others may leave the picture, and the caption
 * says how far.
 *
 * @param title what is drawn, with its unit
 * @param shade the stretch that figures are about
 * @param change a moment to mark
 */
record Chart(String title, List<Line> lines, Span shade, OptionalInt change) {

    /**
     * One line.
     *
     * @param mayLeave whether it may leave the picture
     * @param look the attributes of its stroke
     */
    record Line(String name, List<Double> values, boolean mayLeave, String look) {
        double top() {
            double top = 0;
            for (double value : values) {
                top = Math.max(top, value);
            }
            return top;
        }
    }

    private static final int WIDTH = 560;
    private static final int HEIGHT = 230;
    private static final int LEFT = 52;
    private static final int RIGHT = 548;
    private static final int TOP = 10;
    private static final int BOTTOM = 204;
    private static final int STEPS = 5;

    String svg() {
        int seconds = lines.stream().mapToInt(line -> line.values.size()).max().orElse(1);
        double ceiling = ceiling();
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<figure><h2>%s</h2><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s over time\">",
                title,
                WIDTH,
                HEIGHT,
                title));
        svg.append(String.format(
                Locale.ROOT,
                "<rect class=\"shade\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                x(shade.from(), seconds),
                TOP,
                x(shade.to(), seconds) - x(shade.from(), seconds),
                BOTTOM - TOP));
        axes(svg, seconds, ceiling);
        change.ifPresent(second -> svg.append(String.format(
                Locale.ROOT,
                "<line class=\"change\" x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"%2$d\" y2=\"%3$d\"/>",
                x(second, seconds),
                TOP,
                BOTTOM)));
        lines.forEach(line -> draw(svg, line, seconds, ceiling));
        return svg.append("</svg><figcaption>")
                .append(caption(ceiling))
                .append("</figcaption></figure>\n")
                .toString();
    }

    private double ceiling() {
        double top = lines.stream()
                .filter(line -> !line.mayLeave)
                .mapToDouble(Line::top)
                .max()
                .orElseGet(() -> lines.stream().mapToDouble(Line::top).max().orElse(1));
        return round(Math.max(1, top));
    }

    /** The next number that divides well into steps. */
    private static double round(double top) {
        double unit = Math.pow(10, Math.floor(Math.log10(top / STEPS)));
        for (double factor : new double[] {1, 2, 2.5, 5, 10}) {
            if (unit * factor * STEPS >= top) {
                return unit * factor * STEPS;
            }
        }
        return top;
    }

    private static void axes(StringBuilder svg, int seconds, double ceiling) {
        for (int step = 0; step <= STEPS; step++) {
            double value = ceiling * step / STEPS;
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"%1$d\" x2=\"%2$d\" y1=\"%3$.1f\" y2=\"%3$.1f\"/>"
                            + "<text x=\"%4$d\" y=\"%5$.1f\" text-anchor=\"end\">%6$s</text>",
                    LEFT,
                    RIGHT,
                    y(value, ceiling),
                    LEFT - 7,
                    y(value, ceiling) + 4,
                    number(value)));
            int second = seconds * step / STEPS;
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%d s</text>",
                    x(second, seconds),
                    BOTTOM + 18,
                    step == STEPS ? "end" : "middle",
                    second));
        }
    }

    private static void draw(StringBuilder svg, Line line, int seconds, double ceiling) {
        StringBuilder points = new StringBuilder();
        for (int second = 0; second < line.values.size(); second++) {
            points.append(String.format(
                    Locale.ROOT,
                    "%.1f,%.1f ",
                    x(second + 0.5, seconds),
                    Math.max(TOP - 4, y(line.values.get(second), ceiling))));
        }
        svg.append("<polyline ")
                .append(line.look)
                .append(" points=\"")
                .append(points.toString().strip());
        svg.append("\"><title>").append(line.name).append("</title></polyline>");
    }

    private String caption(double ceiling) {
        StringBuilder caption = new StringBuilder();
        for (Line line : lines) {
            if (line.top() > ceiling) {
                caption.append(caption.isEmpty() ? "" : ", ")
                        .append(line.name)
                        .append(" goes up to ")
                        .append(number(line.top()));
            }
        }
        return caption.toString();
    }

    private static String number(double value) {
        return value >= 10 || value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.1f", value);
    }

    private static double x(double second, int seconds) {
        return LEFT + (RIGHT - LEFT) * second / seconds;
    }

    private static double y(double value, double ceiling) {
        return BOTTOM - (BOTTOM - TOP) * value / ceiling;
    }
}
