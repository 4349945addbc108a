/**
 * The JDK's HTTP client as a good caller. Start at {@link dev.weir.httpclient.OutboundHttpClient}, which stands in front of any {@link
 * java.net.http.HttpClient}. What is asked and learnt is in {@link dev.weir.client}; what responses say in {@link dev.weir.http}.
 */
@NullMarked
package dev.weir.httpclient;

import org.jspecify.annotations.NullMarked;
