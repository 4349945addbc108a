package dev.weir.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarningsTest {

    @Test
    void aFileWithEveryFaultIsWarnedOfEachAtItsPlace() {
        assertThat(Reads.understood(Reads.text("warned.yaml")).warnings())
                .extracting(w -> w.line() + ":" + w.column() + " " + w.name())
                .containsExactly(
                        "4:14 address-behind-proxy",
                        "6:11 secret-in-file",
                        "11:10 forgeable-key",
                        "15:18 forgeable-key",
                        "23:13 cost-above-burst",
                        "24:3 unreachable-limit",
                        "28:3 unreachable-limit",
                        "40:12 quota-in-memory",
                        "42:3 open-on-login",
                        "46:16 window-doubling",
                        "51:11 keys-per-refill",
                        "56:11 large-sliding-log",
                        "59:37 override-expired",
                        "63:11 rate-rounded",
                        "68:11 forgeable-cost",
                        "69:3 open-on-login",
                        "73:52 secret-in-file",
                        "78:12 guarantees-above-limit",
                        "78:12 guarantees-above-limit",
                        "79:3 unreachable-limit",
                        "84:12 queue-never-used",
                        "87:25 secret-in-file",
                        "88:46 no-timeout",
                        "90:14 no-timeout",
                        "90:35 retries-multiply",
                        "91:22 retries-multiply");
    }

    @Test
    void everyWarningIsSeen() {
        assertThat(Arrays.stream(WarningName.values()).map(WarningName::word))
                .isSubsetOf(Reads.understood(Reads.text("warned.yaml")).warnings().stream()
                        .map(Warning::name)
                        .toList());
    }

    @Test
    void aRichAndSensibleFileIsNotWarnedOf() {
        assertThat(Reads.understood(Reads.text("good.yaml")).warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "client-ip: peer                                          | ''",
                "trusted-proxies: 10.0.0.0/8                              | address-behind-proxy",
                "trusted-proxies: 10.0.0.0/8, client-ip: peer             | address-behind-proxy",
                "trusted-proxies: 10.0.0.0/8, client-ip: forwarded        | ''",
                "client-ip: forwarded                                     | address-behind-proxy",
                "client-ip: x-forwarded-for, ipv6-prefix: 56              | address-behind-proxy",
            })
    void whereTheClientsAddressIsRead(String fields, String warning) {
        assertThat(warnings("weir: 1\nidentity: { " + fields + " }"))
                .isEqualTo(warning.isEmpty() ? List.of() : List.of(warning));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://a                                       | connect: 1s and response: 30s,",
                "{ url: http://a }                              | connect: 1s and response: 30s,",
                "{ url: http://a, connect: 2s }                 | say response: 30s,",
                "{ url: http://a, response: 2s, idle: 1s }      | say connect: 1s,",
                "{ url: http://a, connect: 2s, response: 2s }   | ''",
            })
    void anUpstreamWithoutTimeouts(String upstream, String says) {
        List<Warning> warnings = Reads.understood(
                        "weir: 1\ngateway: { routes: [{ match: { path: /** }, upstream: " + upstream + " }] }")
                .warnings();
        assertThat(warnings).hasSize(says.isEmpty() ? 0 : 1).allSatisfy(warning -> {
            assertThat(warning.name()).isEqualTo("no-timeout");
            assertThat(warning.message()).contains(says);
            assertThat(warning.column()).isEqualTo(55);
        });
    }

    @Test
    void theRateInForceIsPrinted() {
        Warning warning = Reads.understood("weir: 1\nlimits: { a: { key: all, rate: 999999937/s } }")
                .warnings()
                .get(0);
        assertThat(warning.message()).contains("one unit every 1.000977 ns", "999024390.243902 in a second");
        assertThat(warning.toString()).startsWith("p.yaml:2:32: rate-rounded: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "key: header:X-Key, rate: 1/s                                        | forgeable-key",
                "key: header:X-Key, rate: 1/s, mode: \"off\"                         | ''",
                "key: header:Forwarded, rate: 1/s                                    | forgeable-key",
                "key: header:x-real-ip, rate: 1/s                                    | forgeable-key",
                "key: client-ip, if-missing: header:X-Forwarded-For, rate: 1/s       | forgeable-key",
                "key: [header:X-Key, route], rate: 1/s                               | forgeable-key",
                "key: [header:X-Key, client-ip], rate: 1/s                           | ''",
                "key: attribute:user, rate: 1/s                                      | ''",
                "key: client-ip, rate: 3/s, cost: 3                                  | ''",
                "key: client-ip, rate: 3/s, cost: 4                                  | cost-above-burst",
                "key: client-ip, rate: 3/s, burst: 9, cost: 9                        | ''",
                "key: client-ip, rate: 3/s, cost: { estimate: 4, settle: duration }  | cost-above-burst",
                "key: client-ip, rate: 3/s, cost: 2, overrides: { x: { rate: 1/s } } | cost-above-burst",
                "key: client-ip, quota: 5/hour                                       | ''",
                "key: client-ip, quota: 5/day                                        | quota-in-memory",
                "key: client-ip, rate: 5/s, algorithm: fixed-window                  | ''",
                "key: client-ip, rate: 5/s, algorithm: fixed-window, protects: cost  | ''",
                "key: client-ip, rate: 5/s, algorithm: fixed-window, protects: capacity | window-doubling",
                "key: client-ip, rate: 5/d                                           | ''",
                "key: client-ip, rate: 5/d, burst: 6                                 | keys-per-refill",
                "key: all, rate: 5/d, burst: 6                                       | ''",
                "key: client-ip, rate: 100/s, algorithm: sliding-log                 | ''",
                "key: client-ip, rate: 1/s, overrides: { x: { is: deny, until: 2029-12-31 } } | override-expired",
                "key: client-ip, rate: 1/s, overrides: { x: { is: deny, until: 2030-01-01 } } | ''",
                "key: client-ip, rate: 1/s, overrides: { x: { is: deny, until: 2030-01-01T00:00:00Z } } | override-expired",
                "match: { path: /a/b }, except: { path: /a/** }, key: client-ip, rate: 1/s | unreachable-limit",
                "match: { path: /a/** }, except: { path: /a/* }, key: client-ip, rate: 1/s | ''",
            })
    void oneLimit(String fields, String warning) {
        assertThat(names(fields)).isEqualTo(warning.isEmpty() ? List.of() : List.of(warning));
    }

    @Test
    void everyBudgetThatACostIsAboveIsNamed() {
        String yaml = """
                weir: 1
                plans: { from: attribute:plan }
                limits:
                  a:
                    key: client-ip
                    rate: 2/s
                    cost: 3
                    plans: { free: { rate: 1/s }, pro: { rate: 5/s } }
                    overrides: { x: { rate: 2/s }, y: { rate: 3/s } }
                """;
        assertThat(Reads.understood(yaml).warnings())
                .extracting(w -> w.line() + ":" + w.column() + " " + w.name() + " " + w.message())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith(
                                        "7:11 cost-above-burst a call of 3 never passes: the limit holds at most 2;"),
                        second -> assertThat(second)
                                .startsWith(
                                        "8:28 cost-above-burst a call of 3 never passes: plan free holds at most 1;"),
                        third -> assertThat(third)
                                .startsWith(
                                        "9:29 cost-above-burst a call of 3 never passes: an override holds at most 2;"));
    }

    @Test
    void aPlanLookupThatTurnsStrangersAwayMakesAHeaderAKey() {
        String start = "weir: 1\nplans: { from: file:plans.csv }\nlimits:\n  a: { key: header:X-Key, rate: 1/s";
        assertThat(warnings(start + " }")).containsExactly("forgeable-key");
        assertThat(warnings(start + ", unknown: default }")).containsExactly("forgeable-key");
        assertThat(warnings(start + ", unknown: header:X-Other }")).containsExactly("forgeable-key");
        assertThat(warnings(start + ", unknown: reject }")).isEmpty();
        assertThat(warnings(start + ", unknown: client-ip }")).isEmpty();
        assertThat(warnings(start + ", unknown: client-ip, mode: shadow }")).isEmpty();
    }

    @Test
    void aLimitThatIsReplacedTurnsNobodyAway() {
        String start =
                "weir: 1\nplans: { from: attribute:plan }\nlimits:\n  a: { key: header:X-Key, rate: 1/s, unknown: reject }\n";
        assertThat(warnings(start + "  b: { key: header:X-Key, rate: 2/s }")).isEmpty();
        assertThat(warnings(start + "  b: { match: { path: /b }, key: header:X-Key, rate: 2/s, instead-of: a }"))
                .containsExactly("forgeable-key");
    }

    @Test
    void anAddressLimitBesideAHeaderMustMeetAllItsCalls() {
        String start = "weir: 1\nlimits:\n  a: { match: { path: /x/y }, key: header:X-Key, rate: 1/s }\n";
        assertThat(warnings(start + "  b: { match: { path: /x/* }, key: client-ip, rate: 1/s }"))
                .isEmpty();
        assertThat(warnings(start + "  b: { match: { path: /z }, key: client-ip, rate: 1/s }"))
                .containsExactly("forgeable-key");
        assertThat(warnings(start + "  b: { match: { path: /x/*, method: GET }, key: client-ip, rate: 1/s }"))
                .containsExactly("forgeable-key");
        assertThat(warnings(start + "  b: { key: client-ip, rate: 1/s, mode: shadow }"))
                .containsExactly("forgeable-key");
        assertThat(warnings(start + "  b: { key: client-ip, rate: 1/s, at: edge }"))
                .containsExactly("forgeable-key");
    }

    @ParameterizedTest
    @CsvSource({
        "/**, /a/b, true",
        "/a/**, /a, true",
        "/a/**, /a/, true",
        "/a/**, /a/*/c/**, true",
        "/a/*, /a/b, true",
        "/a/*, /a/{id}, true",
        "/a/{id}, /a/*, true",
        "/**/z, /a/b/z, true",
        "/a, /a, true",
        "/a/b, /a/*, false",
        "/a/*, /a/**, false",
        "/a/*, /a/, false",
        "/a/**, /b, false",
        "/A, /a, false",
        "/a/*/c, /a/b, false",
    })
    void aPatternCoversAnother(String wide, String narrow, boolean covers) {
        assertThat(Coverage.covers(dev.weir.policy.PathPattern.parse(wide), dev.weir.policy.PathPattern.parse(narrow)))
                .isEqualTo(covers);
    }

    private static List<String> names(String fields) {
        return warnings("weir: 1\nlimits: { a: { " + fields + " } }");
    }

    private static List<String> warnings(String yaml) {
        return Reads.understood(yaml).warnings().stream().map(Warning::name).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "match: { path: /Login }                             | open-on-login",
                "match: { path: /otp/check }                         | open-on-login",
                "match: { path: /x }, protects: abuse                | open-on-login",
                "match: { path: /x }, protects: cost                 | ''",
                "match: { path: /login }, on-store-failure: open     | open-on-login",
                "match: { path: /login }, on-store-failure: local    | ''",
                "match: { path: /login }, on-store-failure: closed   | ''",
                "match: { path: /login }, scope: instance            | ''",
            })
    void logInsWhileTheStoreIsAway(String fields, String warning) {
        assertThat(warnings("weir: 1\nstore: { redis: { url: redis://a } }\nlimits: { a: { key: client-ip, rate: 9/s, "
                        + fields + " } }"))
                .isEqualTo(warning.isEmpty() ? List.of() : List.of(warning));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "url: redis://a, password: p                                       | secret-in-file",
                "url: redis://a, password: \"${POLICY_SECRET}\"                    | ''",
                "url: redis://u:p@a                                                | secret-in-file",
                "url: \"redis://u:${POLICY_SECRET}@a\"                             | ''",
                "url: redis://a, sentinel: { master: m, password: p }              | secret-in-file",
            })
    void passwordsOfTheStore(String redis, String warning) {
        assertThat(warnings("weir: 1\nstore: { redis: { " + redis + " } }"))
                .isEqualTo(warning.isEmpty() ? List.of() : List.of(warning));
    }

    @Test
    void aQuotaInTheStoreIsNotInMemory() {
        assertThat(
                        warnings(
                                "weir: 1\nstore: { redis: { url: redis://a } }\nlimits: { a: { key: client-ip, quota: 9/month } }"))
                .isEmpty();
    }
}
