package dev.weir.policyfile;

/** The reference page of the policy file. */
public final class PolicyReference {

    private static final String OPENING = """
            # The policy file

            Every field there is, made from the definitions that the parser reads by. An editor can check a file against
            [policy.schema.json](policy.schema.json).

            - A file is YAML, one document in UTF-8 of at most 1 MiB, and begins with `weir: 1`. It is understood whole or refused with all its
              errors, each as `file:line:column: field: message`; line and column count from 1, columns in characters.
            - An error stands at the value that is wrong, or at the name of a field that is unknown, doubled or lacks its partner.
            - Anchors, aliases, tags, tabs, control characters and empty lists are errors.
            - Numbers stand without quotes, in digits only. Everything else is taken as it is written: `on`, `yes` and `2` are texts where a text
              belongs and errors elsewhere. `null` and `~` are no values: leave the field out.
            - A text that begins with `*`, `&`, `!`, `{`, `[`, `@` or a backtick stands in quotes, and so does one with braces inside braces:
              `{ key: "path:{id}" }`.
            - `${NAME}` in a value is the environment variable of that name; one that is not set is an error. Names of fields, limits, plans and
              keys are never filled in.
            """;

    private PolicyReference() {}

    /** The page, in Markdown. */
    public static String markdown() {
        StringBuilder page = new StringBuilder(OPENING);
        for (Shape.Group group : Sections.groups()) {
            section(page, group);
        }
        warnings(page);
        return page.toString();
    }

    private static void section(StringBuilder page, Shape.Group group) {
        page.append("\n## ")
                .append(group.name())
                .append("\n\n")
                .append(group.description())
                .append('\n');
        page.append("\n| field | value | default | meaning | example |\n| --- | --- | --- | --- | --- |\n");
        for (Field field : group.fields()) {
            page.append("| `").append(field.name()).append("` | ");
            page.append(prose(grammar(field.shape()))).append(" | ");
            page.append(prose(field.otherwise())).append(" | ");
            page.append(prose(field.description())).append(" | `");
            page.append(cell(field.example())).append("` |\n");
        }
    }

    private static String grammar(Shape shape) {
        if (shape instanceof Shape.Words<?> words) {
            return "`" + String.join("`, `", words.words()) + "`";
        }
        if (shape instanceof Shape.Group group) {
            return "[" + group.name() + "](#" + group.name() + ")";
        }
        if (shape instanceof Shape.OneOrMore list) {
            return grammar(list.item()) + "; one or a list";
        }
        if (shape instanceof Shape.ListOf list) {
            return "a list of " + grammar(list.item());
        }
        if (shape instanceof Shape.Named named) {
            return "for each " + named.name() + ": " + grammar(named.value());
        }
        if (shape instanceof Shape.AnyOf any) {
            return any.shapes().stream()
                    .map(PolicyReference::grammar)
                    .reduce((a, b) -> a + "; or " + b)
                    .orElseThrow();
        }
        return shape.grammar();
    }

    private static String prose(String text) {
        return cell(text).replace("*", "\\*");
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }

    private static void warnings(StringBuilder page) {
        page.append("\n## Warnings\n\nA file with these is used all the same.\n\n| name | meaning |\n| --- | --- |\n");
        for (WarningName name : WarningName.values()) {
            page.append("| `")
                    .append(name.word())
                    .append("` | ")
                    .append(prose(name.meaning()))
                    .append(" |\n");
        }
    }
}
