package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {

    private static Identity identity(ClientIp clientIp, String... trusted) {
        return new Identity(
                Stream.of(trusted).map(AddressRange::parse).toList(), clientIp, 32, 64, Optional.of("a secret"));
    }

    private static final Identity X_FORWARDED_FOR =
            identity(ClientIp.X_FORWARDED_FOR, "10.0.0.0/8", "2001:db8:ffff::/48");
    private static final Identity FORWARDED = identity(ClientIp.FORWARDED, "10.0.0.0/8", "2001:db8:ffff::/48");

    /** Lines are separated by a bar. */
    private static List<String> lines(String text) {
        return text == null ? List.of() : List.of(text.split("\\|", -1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                // peer; header lines; client
                "10.0.0.1; 1.1.1.1, 192.168.0.2; 192.168.0.2",
                "10.0.0.1; 2.2.2.2, 192.168.0.2; 192.168.0.2",
                "192.168.0.9; 1.1.1.1; 192.168.0.9",
                "10.0.0.1; ; 10.0.0.1",
                "10.0.0.1; ''; 10.0.0.1",
                "10.0.0.1; ' , ,'; 10.0.0.1",
                "10.0.0.1; 1.1.1.1|203.0.113.7, 10.0.0.9; 203.0.113.7",
                "10.0.0.1; 1.1.1.1, 203.0.113.7|10.0.0.9; 203.0.113.7",
                "10.0.0.1; ', ,203.0.113.7'; 203.0.113.7",
                "10.0.0.1; '1.1.1.1, 203.0.113.7, ,'; 203.0.113.7",
                "10.0.0.1; '1.1.1.1,203.0.113.7,,\t10.0.0.9 ,| |'; 203.0.113.7",
                "10.0.0.1; 10.1.1.1, 10.2.2.2; 10.1.1.1",
                "10.0.0.1; 203.0.113.7:4711; 203.0.113.7",
                "10.0.0.1; [2001:db8::7]:4711; 2001:db8::7",
                "10.0.0.1; [2001:db8::7]; 2001:db8::7",
                "10.0.0.1; 2001:DB8:0::7; 2001:db8::7",
                "10.0.0.1; ::ffff:203.0.113.7; 203.0.113.7",
                "10.0.0.1; [::ffff:203.0.113.7]:80; 203.0.113.7",
                "10.0.0.1; 203.0.113.7, ::ffff:10.0.0.9; 203.0.113.7",
                "::ffff:a00:1; 203.0.113.7; 203.0.113.7",
                "2001:db8:ffff::1; 203.0.113.7; 203.0.113.7",
                "fe80::1%eth0; 203.0.113.7; fe80::1",
                "10.0.0.1; 203.0.113.7, unknown; 10.0.0.1",
                "10.0.0.1; 203.0.113.7, unknown, 10.0.0.9; 10.0.0.1",
                "10.0.0.1; 203.0.113.07; 10.0.0.1",
                "10.0.0.1; 203.0.113.7:; 10.0.0.1",
                "10.0.0.1; 203.0.113.7:port; 10.0.0.1",
                "10.0.0.1; 203.0.113.7:123456; 10.0.0.1",
                "10.0.0.1; [203.0.113.7]; 10.0.0.1",
                "10.0.0.1; [2001:db8::7; 10.0.0.1",
                "10.0.0.1; [2001:db8::7]x; 10.0.0.1",
                "10.0.0.1; proxy.example.org; 10.0.0.1",
                "010.0.0.1; 203.0.113.7; 010.0.0.1",
                "unix:/run/app.sock; 203.0.113.7; unix:/run/app.sock",
            })
    void xForwardedFor(String peer, String header, String client) {
        assertThat(ClientAddress.of(X_FORWARDED_FOR, peer, lines(header), List.of("for=9.9.9.9")))
                .isEqualTo(client);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '\'',
            value = {
                "for=6.6.6.6, for=\"[2001:db8::1]:4711\";proto=https # 2001:db8::1",
                "for=6.6.6.6;proto=http;by=203.0.113.43 # 6.6.6.6",
                "For=6.6.6.6 # 6.6.6.6",
                "proto=https; FOR=\"6.6.6.6:80\" ;by=10.0.0.9 # 6.6.6.6",
                "for=6.6.6.6:80 # 6.6.6.6",
                "for=\"6.6.6.6:_hidden.port-1\" # 6.6.6.6",
                "for=\"6.6\\.6.6\" # 6.6.6.6",
                "for=6.6.6.6|for=7.7.7.7, for=10.0.0.9 # 7.7.7.7",
                "for=6.6.6.6, ,for=7.7.7.7,,for=10.0.0.9, # 7.7.7.7",
                "for=6.6.6.6;host=\"a,b\\\",c;for=8.8.8.8\" # 6.6.6.6",
                "for=10.1.1.1, for=10.2.2.2 # 10.1.1.1",
                "for=_secret # 10.0.0.1",
                "for=unknown # 10.0.0.1",
                "for=6.6.6.6, for=\"_secret\", for=10.0.0.9 # 10.0.0.1",
                "for=6.6.6.6, proto=https # 10.0.0.1",
                "for=6.6.6.6;for=7.7.7.7 # 10.0.0.1",
                "for=6.6.6.6 by=7.7.7.7 # 10.0.0.1",
                "for # 10.0.0.1",
                "for= # 10.0.0.1",
                "for=\"6.6.6.6 # 10.0.0.1",
                "forx=6.6.6.6 # 10.0.0.1",
                "6.6.6.6 # 10.0.0.1",
                // An open quote that a client sent hides nothing that a proxy appended.
                "for=\"1.1.1.1, for=7.7.7.7 # 7.7.7.7",
                "for=\"1.1.1.1\\, for=\"[2001:db8::1]\" # 2001:db8::1",
                "\", for=\"7.7.7.7:80\", for=10.0.0.9 # 7.7.7.7",
            })
    void forwarded(String header, String client) {
        assertThat(ClientAddress.of(FORWARDED, "10.0.0.1", List.of("9.9.9.9"), lines(header)))
                .isEqualTo(client);
    }

    @Test
    void onlyTheConfiguredHeaderIsRead() {
        assertThat(ClientAddress.of(X_FORWARDED_FOR, "10.0.0.1", List.of(), List.of("for=9.9.9.9")))
                .isEqualTo("10.0.0.1");
        assertThat(ClientAddress.of(FORWARDED, "10.0.0.1", List.of("9.9.9.9"), List.of()))
                .isEqualTo("10.0.0.1");
        assertThat(ClientAddress.of(
                        identity(ClientIp.PEER, "10.0.0.0/8"), "10.0.0.1", List.of("9.9.9.9"), List.of("for=9.9.9.9")))
                .isEqualTo("10.0.0.1");
        assertThat(ClientAddress.of(Identity.DEFAULT, "10.0.0.1", List.of("9.9.9.9"), List.of()))
                .isEqualTo("10.0.0.1");
    }

    @Test
    void whatIsReadIsBounded() {
        String trusted = "10.0.0.9,".repeat(ClientAddress.MAX_HOPS);
        assertThat(ClientAddress.of(X_FORWARDED_FOR, "10.0.0.1", List.of("7.7.7.7," + trusted), List.of()))
                .isEqualTo("10.0.0.9");
        assertThat(ClientAddress.of(X_FORWARDED_FOR, "10.0.0.1", List.of("7.7.7.7," + trusted.substring(9)), List.of()))
                .isEqualTo("7.7.7.7");
        String blanks = ",".repeat(ClientAddress.MAX_CHARS);
        assertThat(ClientAddress.of(X_FORWARDED_FOR, "10.0.0.1", List.of("7.7.7.7" + blanks), List.of()))
                .isEqualTo("10.0.0.1");
        String long1 = "a".repeat(10 * ClientAddress.MAX_CHARS);
        for (String line : List.of(long1, long1 + ",", "\"" + long1 + "\"", "\\".repeat(100_000) + "\"")) {
            assertThat(ClientAddress.of(X_FORWARDED_FOR, "10.0.0.1", List.of(line), List.of()))
                    .isEqualTo("10.0.0.1");
            assertThat(ClientAddress.of(FORWARDED, "10.0.0.1", List.of(), List.of(line)))
                    .isEqualTo("10.0.0.1");
            assertThat(ClientAddress.of(X_FORWARDED_FOR, "10.0.0.1", List.of(line + ",7.7.7.7"), List.of()))
                    .isEqualTo("7.7.7.7");
            assertThat(ClientAddress.of(FORWARDED, "10.0.0.1", List.of(), List.of(line + ",for=7.7.7.7")))
                    .isEqualTo("7.7.7.7");
        }
    }

    @Test
    void nothingThatAClientPrependsChangesTheAnswer() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String alphabet = "0123456789abf.:,;=\"\\[]_ \tfor%|";
        for (int round = 0; round < 50_000; round++) {
            boolean forwarded = random.nextBoolean();
            String client =
                    random.nextBoolean() ? "203.0.113." + random.nextInt(256) : "2001:db8::" + (1 + random.nextInt(9));
            String own = (forwarded ? "for=\"" : "")
                    + (client.contains(":") ? "[" + client + "]" : client)
                    + (forwarded ? "\";proto=https" : "");
            for (int proxies = random.nextInt(3); proxies > 0; proxies--) {
                own += (random.nextBoolean() ? ", " : ",") + (forwarded ? "for=10.0.0." : "10.0.0.") + proxies;
            }
            StringBuilder forged = new StringBuilder();
            for (int chars = random.nextInt(40); chars > 0; chars--) {
                forged.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            if (random.nextInt(3) == 0) {
                forged.append(forwarded ? "for=10.0.0.3" : "10.0.0.3");
            }
            List<String> header = new ArrayList<>(lines(forged.toString()));
            if (random.nextBoolean()) {
                header.add(own);
            } else {
                header.set(header.size() - 1, header.get(header.size() - 1) + "," + own);
            }
            String answer = forwarded
                    ? ClientAddress.of(FORWARDED, "10.0.0.1", List.of(), header)
                    : ClientAddress.of(X_FORWARDED_FOR, "10.0.0.1", header, List.of());
            assertThat(answer).as("seed %d: %s", seed, header).isEqualTo(client);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 32, 64, 192.0.2.7",
        "192.0.2.7, 24, 64, 192.0.2.0/24",
        "::ffff:192.0.2.7, 24, 64, 192.0.2.0/24",
        "2001:db8:1:2:3:4:5:6, 32, 64, 2001:db8:1:2::/64",
        "2001:DB8:1:2::9, 32, 64, 2001:db8:1:2::/64",
        "2001:db8:1:3::1, 32, 64, 2001:db8:1:3::/64",
        "2001:db8:1:2ff::1, 32, 56, 2001:db8:1:200::/56",
        "2001:db8:1:2::1, 32, 128, 2001:db8:1:2::1",
        "fe80::1%eth0, 32, 64, fe80::/64",
        "unix:/run/app.sock, 24, 56, unix:/run/app.sock",
    })
    void callersAreCountedByPrefix(String address, int v4, int v6, String key) {
        Identity identity = new Identity(List.of(), ClientIp.PEER, v4, v6, Optional.empty());
        assertThat(ClientAddress.prefix(identity, address)).isEqualTo(key);
    }

    @Test
    void aSubscriberIsOneCaller() {
        Set<String> keys = new HashSet<>();
        for (int host = 0; host < 100; host++) {
            keys.add(ClientAddress.prefix(
                    Identity.DEFAULT, "2001:db8:1:2:" + Integer.toHexString(host * 77) + "::" + host));
        }
        assertThat(keys).containsExactly("2001:db8:1:2::/64");
    }
}
