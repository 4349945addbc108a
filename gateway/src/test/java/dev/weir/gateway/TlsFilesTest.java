package dev.weir.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files for TLS are tried before they are used; those that cannot be used change nothing. */
class TlsFilesTest {

    /** Where the keys are made, once for all tests. */
    @TempDir
    static Path keys;

    @TempDir
    Path folder;

    private final List<String> events = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void makeKeys() throws Exception {
        make("one", "EC");
        make("two", "RSA");
    }

    @BeforeEach
    void start() throws IOException {
        use("one", "one");
    }

    private static void make(String name, String algorithm) throws Exception {
        Path store = keys.resolve(name + ".p12");
        Process made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:localhost",
                        "-storepass",
                        "secret",
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(made.getInputStream().readAllBytes(), UTF_8);
        assertThat(made.waitFor()).as(said).isZero();
        KeyStore opened = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            opened.load(in, "secret".toCharArray());
        }
        write(name + ".pem", "CERTIFICATE", opened.getCertificate("a").getEncoded());
        write(
                name + "-key.pem",
                "PRIVATE KEY",
                opened.getKey("a", "secret".toCharArray()).getEncoded());
    }

    private static void write(String file, String kind, byte[] bytes) throws IOException {
        Files.writeString(
                keys.resolve(file),
                "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + kind
                        + "-----\n");
    }

    private void use(String certificate, String key) throws IOException {
        copy(certificate + ".pem", "c.pem");
        copy(key + "-key.pem", "k.pem");
    }

    private void copy(String from, String to) throws IOException {
        Files.copy(keys.resolve(from), folder.resolve(to), StandardCopyOption.REPLACE_EXISTING);
    }

    private Gateway start(String file, String path, String listen, String upstream)
            throws IOException, GatewayException {
        Path policy = Files.writeString(folder.resolve(file), """
                weir: 1
                gateway:
                  listen: %s
                  admin: 127.0.0.1:0
                  routes: [ { match: { path: %s }, upstream: %s } ]
                """.formatted(listen, path, upstream));
        return Gateway.start(
                policy, Map.of(), new PrintStream(OutputStream.nullOutputStream(), true, UTF_8), events::add);
    }

    private Gateway secure() throws IOException, GatewayException {
        return start(
                "policy.yaml",
                "/x",
                "{ address: \"127.0.0.1:0\", tls: { certificate: c.pem, key: k.pem } }",
                "\"http://127.0.0.1:9\"");
    }

    /** Whose certificate the gateway shows. */
    private static String shown(int port) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Trusting()}, null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        }
    }

    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void aPairThatIsNoneChangesNothing() throws Exception {
        try (Gateway gateway = secure()) {
            use("two", "one");
            assertThat(gateway.reload())
                    .startsWith("nothing changed:")
                    .contains("policy.yaml:3:", "gateway.listen.tls.key", "is not the private key of the certificate");
            Files.writeString(folder.resolve("c.pem"), "junk");
            assertThat(gateway.reload())
                    .startsWith("nothing changed:")
                    .contains("gateway.listen.tls.certificate", "holds no certificate");
            Files.delete(folder.resolve("c.pem"));
            assertThat(gateway.reload()).startsWith("nothing changed:").contains("cannot be read");
            assertThat(shown(gateway.port())).isEqualTo("CN=one");
            use("two", "two");
            assertThat(gateway.reload()).contains("is in force");
            Eventually.holds(
                    "the new certificate is shown", () -> shown(gateway.port()).equals("CN=two"));
        }
    }

    @Test
    void aGatewayDoesNotStartWithFilesThatAreOfNoUse() throws Exception {
        use("one", "two");
        assertThatThrownBy(this::secure).hasMessageContaining("is not the private key of the certificate");
        Files.writeString(folder.resolve("k.pem"), "junk");
        assertThatThrownBy(this::secure).hasMessageContaining("is not the private key of the certificate");
        Files.writeString(folder.resolve("ca.pem"), "junk");
        assertThatThrownBy(() -> start(
                        "near.yaml", "/**", "127.0.0.1:0", "{ url: \"https://localhost:9\", tls: { ca: ca.pem } }"))
                .hasMessageContaining("upstream.tls.ca")
                .hasMessageContaining("holds no certificate");
    }

    @Test
    void anAuthorityIsReadAgainAndWhatFailsIsNamedOnce() throws Exception {
        try (Gateway far = secure()) {
            copy("two.pem", "ca.pem");
            try (Gateway gateway = start(
                    "near.yaml",
                    "/**",
                    "127.0.0.1:0",
                    "{ url: \"https://localhost:" + far.port() + "\", tls: { ca: ca.pem } }")) {
                assertThat(statusOf(gateway)).isEqualTo(502);
                assertThat(statusOf(gateway)).isEqualTo(502);
                assertThat(events)
                        .filteredOn(event -> event.contains("TLS failed"))
                        .hasSize(1);
                copy("one.pem", "ca.pem");
                assertThat(gateway.reload()).contains("is in force");
                assertThat(statusOf(gateway)).as("the far gateway's own").isEqualTo(404);
            }
        }
    }

    private static int statusOf(Gateway gateway) throws IOException {
        try (RawClient client = RawClient.to(gateway.port())) {
            return client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    .answer()
                    .head()
                    .status();
        }
    }
}
