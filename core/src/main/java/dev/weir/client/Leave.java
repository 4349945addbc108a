package dev.weir.client;

/** What became of asking to send: leave to do so, or a refusal. */
public sealed interface Leave permits Sending, OutboundRefusal {}
