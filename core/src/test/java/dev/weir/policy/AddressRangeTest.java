package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "2001:DB8:0:0::1, 2001:db8::1",
        "2001:db8:0:0:0:0:0:1, 2001:db8::1",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "1:0:0:2:2:0:0:3, 1::2:2:0:0:3",
        "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
        "::ffff:10.20.30.40, 10.20.30.40",
        "::ffff:a14:1e28, 10.20.30.40",
        "0:0:0:0:0:FFFF:0A14:1E28, 10.20.30.40",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
        "::10.20.30.40, ::a14:1e28",
        "fe80::1%eth0, fe80::1",
        "1:2:3:4:5:6:1.2.3.4, 1:2:3:4:5:6:102:304",
    })
    void oneTextForEveryAddress(String text, String canonical) {
        assertThat(Address.parse(text)).hasToString("Optional[" + canonical + "]");
        assertThat(Address.parse(canonical)).isEqualTo(Address.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.4 ",
                " 1.2.3.4",
                "010.1.1.1",
                "1.2.3.04",
                "256.1.1.1",
                "1.2.3.-4",
                "1..2.3",
                "1.2.3.",
                ".1.2.3",
                "0x7f.0.0.1",
                "2130706433",
                "localhost",
                "example.org",
                "a.b.c.d",
                ":",
                ":::",
                "1:",
                ":1",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "12345::",
                "g::",
                "::1.2.3",
                "::1.2.3.4:5",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::01.2.3.4",
                "[::1]",
                "::1]",
                "[::1",
                "fe80::1%",
                "1.2.3.4%eth0",
                "\u0661.2.3.4",
                "::\uff11",
                "1.2.3.4:80",
                "unix:/run/app.sock",
                "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000"
            })
    void whatIsNoAddress(String text) {
        assertThat(Address.parse(text)).isEmpty();
        assertThat(AddressRange.parse("0.0.0.0/0").contains(text)).isFalse();
        assertThat(AddressRange.parse("::/0").contains(text)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.20.30.40, true",
        "10.0.0.0/8, ::ffff:10.20.30.40, true",
        "10.0.0.0/8, ::ffff:a14:1e28, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.0.0.0/8, 9.255.255.255, false",
        "::ffff:10.0.0.0/104, 10.255.0.1, true",
        "::ffff:0:0/96, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "0.0.0.0/0, 255.0.0.1, true",
        "0.0.0.0/0, ::1, false",
        "::/0, 2001:db8::1, true",
        "::/0, 10.0.0.1, false",
        "::/0, ::ffff:10.0.0.1, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "2001:db8::/65, 2001:db8::7fff:0:0:1, true",
        "2001:db8::/65, 2001:db8::8000:0:0:1, false",
        "fe80::/10, fe80::1%eth0, true",
        "::1, ::1, true",
    })
    void contains(String range, String address, boolean within) {
        assertThat(AddressRange.parse(range).contains(address)).isEqualTo(within);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.0.0.0/8",
        "10.0.0.1/32, 10.0.0.1",
        "10.0.0.1, 10.0.0.1",
        "::ffff:10.0.0.0/104, 10.0.0.0/8",
        "::ffff:10.0.0.1, 10.0.0.1",
        "2001:DB8:0::/32, 2001:db8::/32",
        "2001:db8::1/128, 2001:db8::1",
        "::/0, ::/0",
    })
    void equalRangesHaveOneText(String text, String canonical) {
        assertThat(AddressRange.parse(text)).hasToString(canonical).isEqualTo(AddressRange.parse(canonical));
        assertThat(AddressRange.parse(text)).hasSameHashCodeAs(AddressRange.parse(canonical));
    }

    @Test
    void familiesAreDifferentRanges() {
        assertThat(AddressRange.parse("::/96")).isNotEqualTo(AddressRange.parse("0.0.0.0/0"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.1.2.3/8 | say 10.0.0.0/8 for the range or 10.1.2.3 for the one address",
                "2001:db8::1/32 | say 2001:db8::/32 for the range or 2001:db8::1 for the one address",
                "::ffff:10.1.2.3/104 | say 10.0.0.0/8 for the range or 10.1.2.3 for the one address",
                "::ffff:10.0.0.0/8 | say 10.0.0.0/8 or a prefix from 96 to 128",
                "10.0.0.0/33 | the prefix length '33' is not a whole number from 0 to 32",
                "10.0.0.0/ | the prefix length '' is not",
                "10.0.0.0/-1 | the prefix length '-1' is not",
                "10.0.0.0/08 | the prefix length '08' is not",
                "::/129 | from 0 to 128",
                "10.0.0.0/8/8 | the prefix length '8/8' is not",
                "10.0.0/8 | is not a range of addresses",
                "010.0.0.0/8 | no leading zeros",
                "proxy.example.org | no name",
                "fe80::1%eth0 | leave '%eth0' out",
                "'' | is not a range of addresses",
            })
    void refusesWithARemedy(String text, String message) {
        assertThatThrownBy(() -> AddressRange.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining(message);
    }

    @Test
    void randomAddressesComeBackAndLieInTheirPrefixes() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int group = 0; group < 8; group++) {
                text.append(group == 0 ? "" : ":")
                        .append(Integer.toHexString(random.nextInt(3) == 0 ? random.nextInt(0x10000) : 0));
            }
            Address address = Address.parse(text.toString()).orElseThrow();
            assertThat(Address.parse(address.toString()))
                    .as("seed %d: %s", seed, text)
                    .contains(address);
            int bits = random.nextInt(129);
            AddressRange range =
                    AddressRange.parse(address.isV4() ? address.toString() : address.prefix(bits) + "/" + bits);
            assertThat(range.contains(text.toString()))
                    .as("seed %d: %s/%d", seed, text, bits)
                    .isTrue();
        }
    }
}
