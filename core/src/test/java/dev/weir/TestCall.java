package dev.weir;

import dev.weir.policy.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A call whose every part a test may choose: GET / from 192.0.2.1 with nothing else. */
final class TestCall implements Call {

    private String method = "GET";
    private final String path;
    private String query;
    private String peer = "192.0.2.1";
    private String route;
    private final Map<String, List<String>> headers = new HashMap<>();
    private final Map<String, String> attributes = new HashMap<>();

    private TestCall(String path) {
        this.path = path;
    }

    static TestCall of(String path) {
        return new TestCall(path);
    }

    /** A call of that key, in X-Api-Key. */
    static TestCall by(String key) {
        return new TestCall("/").header("X-Api-Key", key);
    }

    TestCall method(String value) {
        method = value;
        return this;
    }

    TestCall query(String value) {
        query = value;
        return this;
    }

    TestCall peer(String value) {
        peer = value;
        return this;
    }

    TestCall route(String value) {
        route = value;
        return this;
    }

    TestCall header(String name, String... values) {
        headers.computeIfAbsent(name.toLowerCase(Locale.ROOT), n -> new ArrayList<>())
                .addAll(List.of(values));
        return this;
    }

    TestCall attribute(String name, String value) {
        attributes.put(name, value);
        return this;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public String query() {
        return query;
    }

    @Override
    public List<String> headers(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public String route() {
        return route;
    }

    @Override
    public String attribute(String name) {
        return attributes.get(name);
    }
}
