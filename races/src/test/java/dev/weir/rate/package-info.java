/** Races of the rate limiters: each test names the race it is about. */
package dev.weir.rate;
