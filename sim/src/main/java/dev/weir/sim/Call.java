package dev.weir.sim;

import dev.weir.load.Criticality;

/** What a client wants, in one send or several. */
final class Call {

    final Crowd crowd;
    final Criticality criticality;
    int sends;

    Call(Crowd crowd, Criticality criticality) {
        this.crowd = crowd;
        this.criticality = criticality;
    }
}
