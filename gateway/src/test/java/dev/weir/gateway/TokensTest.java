package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokensTest {

    private final Tokens both = new Tokens(Optional.of("read"), Optional.of("write"));
    private final Tokens none = new Tokens(Optional.empty(), Optional.empty());

    @Test
    void whereNoReadTokenIsSetEverybodyReads() {
        assertThat(none.mayRead(null)).isTrue();
        assertThat(none.mayRead("Bearer any")).isTrue();
    }

    @Test
    void whereNoWriteTokenIsSetNobodyWrites() {
        assertThat(none.anybodyMayWrite()).isFalse();
        assertThat(none.mayWrite(null)).isFalse();
        assertThat(none.mayWrite("Bearer ")).isFalse();
    }

    @Test
    void theReadTokenReadsAndDoesNotWrite() {
        assertThat(both.mayRead("Bearer read")).isTrue();
        assertThat(both.mayWrite("Bearer read")).isFalse();
    }

    @Test
    void theWriteTokenReadsToo() {
        assertThat(both.mayWrite("Bearer write")).isTrue();
        assertThat(both.mayRead("Bearer write")).isTrue();
    }

    @Test
    void theSchemeIsReadInAnyCaseAndTheTokenInItsOwn() {
        assertThat(both.mayRead("bearer read")).isTrue();
        assertThat(both.mayRead("BEARER read")).isTrue();
        assertThat(both.mayRead("Bearer READ")).isFalse();
    }

    @Test
    void partsOfATokenAndOtherSchemesAreNothing() {
        assertThat(both.mayRead(null)).isFalse();
        assertThat(both.mayRead("")).isFalse();
        assertThat(both.mayRead("read")).isFalse();
        assertThat(both.mayRead("Bearer rea")).isFalse();
        assertThat(both.mayRead("Bearer read2")).isFalse();
        assertThat(both.mayRead("Basic read")).isFalse();
    }
}
