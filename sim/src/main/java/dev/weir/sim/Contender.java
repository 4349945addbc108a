package dev.weir.sim;

/** Somebody whose doors stand in front of the instances of one run. */
interface Contender {

    /** The name in scenarios and reports. */
    String name();

    /** A new door for one instance. */
    Door door(Scenario scenario, VirtualTime time);
}
