/**
 * OkHttp as a good caller. Start at {@link dev.weir.okhttp.OutboundInterceptor}. What is asked and learnt is in {@code dev.weir.client} of
 * weir-core.
 */
@NullMarked
package dev.weir.okhttp;

import org.jspecify.annotations.NullMarked;
