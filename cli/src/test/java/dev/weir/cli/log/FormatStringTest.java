package dev.weir.cli.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatStringTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "combind | log format 'combind' is not one of common, combined, vhost-combined, nginx, json, json:FIELD=NAME,... or a format string",
                "%h %t %y | position 7: '%y' is not known; known are %h %a",
                "%h %t %{X}Z | position 7: '%{X}Z' is not known",
                "%h %t %{X | position 7: '%{X' has no closing brace",
                "%h %t % | position 7: '%' has no letter at its end, such as %h",
                "%h %t %i | position 7: '%i' lacks a name, such as %{Name}i",
                "%h %t %{min}T | position 7: '%{min}T' has no such unit: us, ms or s",
                "%h %{%d/%Q}t | position 4: '%Q' in the time format '%d/%Q' is not one of %Y %m %d",
                "%h %{%d %}t | position 4: '%' in the time format '%d %' is not one of %Y",
                "%h %{%H:%M:%S}t | position 1: there is no whole time; give %t",
                "%h \"%r\" | position 1: there is no whole time; give %t",
                "%t \"%r\" | position 1: there is no client address; give %h",
                "%h%u %t | position 3: two values stand side by side: put text between them, such as a space",
                "%h %u%{sec}t | position 6: a time stands directly behind a value",
                "$remote_addr [$time_local] $wibble | position 28: '$wibble' is not known; known are $remote_addr",
                "$remote_addr [$time_local] $ | position 28: '$' begins no variable's name, such as $remote_addr",
                "$remote_addr [$time_local] ${status | position 28: '$' begins no variable's name",
                "$remote_addr$status [$time_local] | position 13: two values stand side by side",
            })
    void saysWhereAndWhatIsAllowed(String format, String message) {
        assertThatThrownBy(() -> LogFormat.of(format))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void anUnknownColumnHasARemedy() {
        assertThatThrownBy(() -> LogFormat.of("%h %t %y"))
                .hasMessageEndingWith("write %l in its place to skip that column");
        assertThatThrownBy(() -> LogFormat.of("$remote_addr [$time_local] $y"))
                .hasMessageEndingWith("write $skip in its place to skip that column");
    }

    @Test
    void quotesMayBeEscapedAsInConfigurationFiles() throws Malformed {
        assertThat(ReadLine.read("%h %t \\\"%r\\\"", "::1 [02/Mar/2026:08:15:30 +0100] \"GET /a HTTP/1.1\""))
                .isEqualTo("2026-03-02T07:15:30Z ::1 GET /a - -");
    }

    @Test
    void tellsWhichHeadersItHolds() {
        assertThat(LogFormat.of("common").headerNames()).isEmpty();
        assertThat(LogFormat.of("combined").headerNames()).containsExactly("Referer", "User-Agent");
        assertThat(LogFormat.of("$remote_addr [$time_local] $http_x_api_key").headerNames())
                .contains("X-Api-Key");
        assertThat(LogFormat.of("json:header.X-Tenant=tenant").headerNames()).contains("x-tenant", "referer");
    }
}
