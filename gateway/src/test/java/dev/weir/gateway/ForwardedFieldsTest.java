package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import org.junit.jupiter.api.Test;

class ForwardedFieldsTest {

    private static MultiMap said() {
        return MultiMap.caseInsensitiveMultiMap()
                .add("X-Forwarded-For", "9.9.9.9")
                .add("x-forwarded-for", "8.8.8.8")
                .add("X-Forwarded-Proto", "https")
                .add("X-Forwarded-Prefix", "/p")
                .add("Forwarded", "for=9.9.9.9")
                .add("X-Real-Ip", "9.9.9.9")
                .add("X-Other", "o");
    }

    @Test
    void aStrangersAccountIsReplaced() {
        MultiMap fields = MultiMap.caseInsensitiveMultiMap();
        HopByHop.copyEndToEnd(said(), fields, ForwardedFields::isOne);
        ForwardedFields.write(fields, "1.2.3.4", "http", "a");
        assertThat(fields.getAll("x-forwarded-for")).containsExactly("1.2.3.4");
        assertThat(fields.getAll("x-forwarded-proto")).containsExactly("http");
        assertThat(fields.getAll("x-forwarded-host")).containsExactly("a");
        assertThat(fields.getAll("forwarded")).containsExactly("for=1.2.3.4;proto=http;host=\"a\"");
        assertThat(fields.contains("x-forwarded-prefix")).isFalse();
        assertThat(fields.contains("x-real-ip")).isFalse();
        assertThat(fields.get("x-other")).isEqualTo("o");
    }

    @Test
    void aTrustedAccountIsContinued() {
        MultiMap fields = said();
        ForwardedFields.write(fields, "1.2.3.4", "http", null);
        assertThat(fields.getAll("x-forwarded-for")).containsExactly("9.9.9.9, 8.8.8.8, 1.2.3.4");
        assertThat(fields.getAll("x-forwarded-proto")).containsExactly("https");
        assertThat(fields.contains("x-forwarded-host")).isFalse();
        assertThat(fields.getAll("forwarded")).containsExactly("for=9.9.9.9, for=1.2.3.4;proto=http");
        assertThat(fields.get("x-forwarded-prefix")).isEqualTo("/p");
    }

    @Test
    void anAddressOfSixIsQuoted() {
        MultiMap fields = MultiMap.caseInsensitiveMultiMap();
        ForwardedFields.write(fields, "2001:db8::1", "https", "a:8443");
        assertThat(fields.get("forwarded")).isEqualTo("for=\"[2001:db8::1]\";proto=https;host=\"a:8443\"");
        assertThat(fields.get("x-forwarded-for")).isEqualTo("2001:db8::1");
    }
}
