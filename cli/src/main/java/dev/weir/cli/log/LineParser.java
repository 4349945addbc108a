package dev.weir.cli.log;

import java.util.List;

/** Reads the lines of one format. Not for several threads at once. */
interface LineParser {

    /** What the format's calls hold by name. */
    List<NamedColumn> named();

    /** Reads the line into the draft, which is clear. The line has no line end. */
    void parse(byte[] line, int from, int to, CallDraft draft) throws Malformed;
}
