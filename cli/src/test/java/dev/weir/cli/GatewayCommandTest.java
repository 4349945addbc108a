package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keeps a gateway from starting is said in words before anything listens. */
class GatewayCommandTest {

    private static final String ROUTES =
            "  routes: [ { match: { path: /** }, upstream: { url: \"http://127.0.0.1:9\", connect: 1s, response: 1s } } ]\n";

    @TempDir
    Path folder;

    @Test
    void aPortThatIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            assertThat(started("gateway:\n  listen: 127.0.0.1:" + port + "\n  admin: 127.0.0.1:0\n" + ROUTES))
                    .isEqualTo("weir: the gateway cannot start:\n  gateway.listen: '127.0.0.1:" + port
                            + "' is taken: stop what listens there, or choose another port\n");
        }
    }

    @Test
    void aForeignAddress() throws IOException {
        assertThat(started("gateway:\n  listen: 192.0.2.1:0\n  admin: 127.0.0.1:0\n" + ROUTES))
                .contains("gateway.listen: '192.0.2.1:0' is not an address of this machine");
    }

    @Test
    void aKeyThatIsMissingOrNone() throws Exception {
        String tls = "gateway:\n  listen: { address: \"127.0.0.1:0\", tls: { certificate: c.pem, key: k.pem } }\n"
                + "  admin: 127.0.0.1:0\n" + ROUTES;
        assertThat(started(tls)).contains("c.pem");
        Files.writeString(folder.resolve("c.pem"), "no certificate");
        byte[] key = KeyPairGenerator.getInstance("EC")
                .generateKeyPair()
                .getPrivate()
                .getEncoded();
        Files.writeString(
                folder.resolve("k.pem"),
                "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
                        + "\n-----END PRIVATE KEY-----\n");
        assertThat(started(tls)).startsWith("weir: the gateway cannot start:").contains("gateway.listen");
    }

    @Test
    void anUpstreamThatIsTheGatewayItself() throws IOException {
        assertThat(started("gateway:\n  listen: 127.0.0.1:7999\n  admin: 127.0.0.1:0\n"
                        + ROUTES.replace("127.0.0.1:9\"", "127.0.0.1:7999\"")))
                .contains("p.yaml:5:", "the gateway itself");
    }

    @Test
    void aPolicyWithoutAGateway() throws IOException {
        assertThat(started("limits: { all: { key: client-ip, rate: 1/s } }\n"))
                .contains("there is no gateway section: add gateway: { routes:");
    }

    @Test
    void aPolicyThatIsNotThereOrWrong() throws IOException {
        assertThat(run(folder.resolve("nowhere.yaml"))).contains("nowhere.yaml").contains("the gateway cannot start");
        assertThat(started("gatewy: {}\n")).contains("p.yaml:2:1", "gatewy");
    }

    private String started(String rest) throws IOException {
        Path policy = folder.resolve("p.yaml");
        Files.writeString(policy, "weir: 1\n" + rest);
        return run(policy);
    }

    /** What it says on standard error; it must end with 2 by itself. */
    private static String run(Path policy) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode =
                Main.run(Streams.of(new ByteArrayInputStream(new byte[0]), out, err), "gateway", policy.toString());
        assertThat(exitCode).isEqualTo(2);
        assertThat(out.size()).isZero();
        return err.toString(StandardCharsets.UTF_8);
    }
}
