/** Races of the gate: each test names the race it is about. */
package dev.weir.load;
