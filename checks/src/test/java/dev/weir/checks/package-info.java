/**
 * Rules about the repository as a whole.
 *
 * <p>{@link dev.weir.checks.Rules} holds the architecture, {@link dev.weir.checks.PublicSurface} what users can reach, {@link
 * dev.weir.checks.DocsTest} what the pages promise. Every rule of architecture is run twice: over what is published, which must keep it,
 * and over classes in {@code fixture} made to break it, each of which it must find.
 */
package dev.weir.checks;
