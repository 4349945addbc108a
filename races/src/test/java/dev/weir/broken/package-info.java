/** Shells with a race in them, on purpose: the checkers of this module must find it. */
package dev.weir.broken;
