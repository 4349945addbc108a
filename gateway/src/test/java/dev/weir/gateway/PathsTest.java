package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths that the policy and the upstream could read differently are refused; all others go on as they came. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PathsTest {

    private ScriptedUpstream upstream;
    private GatewayFixture gateway;

    @BeforeAll
    void start() throws Exception {
        upstream = ScriptedUpstream.obliging();
        gateway = GatewayFixture.before(upstream);
    }

    @AfterAll
    void stop() {
        gateway.close();
        upstream.close();
    }

    private Message ask(String target) throws Exception {
        try (RawClient client = gateway.client()) {
            return client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n").answer();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a/../b",
                "/..",
                "/a/..",
                "/./a",
                "/a/.",
                "//a",
                "/a//b",
                "/a%2fb",
                "/a%2Fb",
                "/a%5cb",
                "/a%5Cb",
                "/a\\b",
                "/a/..;/b",
                "/a/..;x=y/b",
                "/a/.;/b",
                "/a/..%3b/b",
                "/a#b",
                "/a?b#c",
                "/%2e%2e/a",
                "/%2E./a",
                "/.%2e/a",
                "/a/%2e",
                "/a%00b",
                "/a%0ab",
                "/a%0D%0Ab",
                "/a%1f",
                "/a%7fb",
                "/a%",
                "/a%4",
                "/a%zz",
                "/a%u002e",
                "/a\u0001b",
                "/a\u007fb",
                "/\u00e9",
                "http://a/../b",
                "http://a//b",
            })
    void whatTwoReadersCouldReadDifferentlyIsRefused(String target) throws Exception {
        assertThat(ask(target).status()).isEqualTo(400);
        assertThat(upstream.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/a/",
                "/a/...",
                "/a/..b",
                "/a/b..",
                "/.well-known/x",
                "/a;b=c/d",
                "/a;..",
                "/%61pi",
                "/caf%c3%a9",
                "/a%20b",
                "/a%25b",
                "/a%2561",
                "/a%3Fb",
                "/a+b",
                "/a:b@c",
                "/a!$&'()*,=~_-",
                "/a?b=/../c",
                "/a?b=//c%2f",
                "/a?b=%00",
                "/a?b=%zz",
                "/a?",
                "/a??b",
                "/a?b[]=c",
                "/{a}|^`\"<>",
            })
    void whatHasOneReadingGoesOnAsItCame(String target) throws Exception {
        assertThat(ask(target).status()).isEqualTo(200);
        assertThat(upstream.next().head().target()).isEqualTo(target);
    }
}
