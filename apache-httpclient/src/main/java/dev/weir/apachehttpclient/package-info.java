/**
 * Apache HttpClient 5 as a good caller. Start at {@link dev.weir.apachehttpclient.OutboundExec}. What is asked and learnt is in {@code
 * dev.weir.client} of weir-core.
 */
@NullMarked
package dev.weir.apachehttpclient;

import org.jspecify.annotations.NullMarked;
