/** The reverse proxy that enforces a policy. */
@NullMarked
package dev.weir.gateway;

import org.jspecify.annotations.NullMarked;
