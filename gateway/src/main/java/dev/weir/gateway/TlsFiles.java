package dev.weir.gateway;

import dev.weir.policyfile.GatewaySettings;
import dev.weir.policyfile.GatewaySettings.Route;
import dev.weir.policyfile.GatewaySettings.Tls;
import dev.weir.policyfile.GatewaySettings.UpstreamTls;
import dev.weir.policyfile.Loaded;
import dev.weir.policyfile.NamedFile;
import dev.weir.policyfile.Problem;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/**
 * The PEM files that a gateway speaks TLS with, read once, so that those that were tried are those that are used. Immutable.
 */
final class TlsFiles {

    /** Keys that prove anything, by the names that Java has for them, and how each signs. */
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private final List<NamedFile> named;
    private final Map<Path, Buffer> contents = new LinkedHashMap<>();
    private final Set<Problem> problems = new LinkedHashSet<>();

    private final Vertx vertx;

    private TlsFiles(Vertx vertx, List<NamedFile> named) {
        this.vertx = vertx;
        this.named = named;
    }

    /** Reads and tries all that a policy's gateway section names. Blocks on the disk. */
    static TlsFiles of(Vertx vertx, Loaded.Understood policy) {
        TlsFiles files = new TlsFiles(vertx, policy.named());
        policy.gateway().ifPresent(files::read);
        return files;
    }

    private void read(GatewaySettings settings) {
        settings.listen().tls().ifPresent(tls -> tryPair(tls.certificate(), tls.key()));
        settings.routes().stream()
                .map(Route::upstream)
                .flatMap(upstream -> upstream.tls().stream())
                .forEach(tls -> {
                    tls.ca().ifPresent(this::tryCertificates);
                    tls.certificate().ifPresent(certificate -> tls.key().ifPresent(key -> tryPair(certificate, key)));
                });
    }

    /** Which they are, in the order of reading. */
    List<Path> files() {
        return List.copyOf(contents.keySet());
    }

    /** What is wrong with them, in the order of the policy file; empty when all can be used. */
    List<Problem> problems() {
        return problems.stream()
                .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column))
                .toList();
    }

    private void problem(Path file, String message) {
        named.stream()
                .filter(place -> place.path().equals(file))
                .forEach(place -> problems.add(place.problem("'" + file + "' " + message)));
    }

    private Optional<Buffer> contents(Path file) {
        if (!contents.containsKey(file)) {
            try {
                contents.put(file, Buffer.buffer(Files.readAllBytes(file)));
            } catch (IOException e) {
                problem(file, "cannot be read: name a PEM file that this user may read");
            }
        }
        return Optional.ofNullable(contents.get(file));
    }

    private boolean tryCertificates(Path file) {
        Optional<Buffer> pem = contents(file);
        if (pem.isEmpty()) {
            return false;
        }
        try {
            new PemTrustOptions().addCertValue(pem.get()).loadKeyStore(vertx);
            return true;
        } catch (Exception e) {
            problem(file, "holds no certificate that can be read: name one in PEM (" + e.getMessage() + ")");
            return false;
        }
    }

    private void tryPair(Path certificate, Path key) {
        boolean good = tryCertificates(certificate);
        if (contents(key).isEmpty() || !good) {
            return;
        }
        try {
            if (!isPair(keys(certificate, key))) {
                noKeyOf(certificate, key, "they differ");
            }
        } catch (Exception e) {
            noKeyOf(certificate, key, String.valueOf(e.getMessage()));
        }
    }

    private void noKeyOf(Path certificate, Path key, String why) {
        problem(
                key,
                "is not the private key of the certificate in '" + certificate
                        + "': name that one, in PEM, RSA, EC or Ed25519, without a password (" + why + ")");
    }

    private boolean isPair(PemKeyCertOptions keys) throws Exception {
        for (KeyManager manager : keys.getKeyManagerFactory(vertx).getKeyManagers()) {
            if (manager instanceof X509KeyManager known) {
                for (String algorithm : SIGNATURES.keySet()) {
                    String[] aliases = known.getServerAliases(algorithm, null);
                    if (aliases != null && aliases.length > 0) {
                        return isPair(
                                known.getCertificateChain(aliases[0])[0].getPublicKey(),
                                known.getPrivateKey(aliases[0]));
                    }
                }
            }
        }
        throw new GeneralSecurityException("a kind of key that is not known");
    }

    /** Whether what one signs is what the other knows. */
    private static boolean isPair(PublicKey shown, PrivateKey secret) throws GeneralSecurityException {
        if (!shown.getAlgorithm().equals(secret.getAlgorithm())) {
            return false;
        }
        byte[] text = {1, 2, 3};
        Signature signature = Signature.getInstance(SIGNATURES.get(shown.getAlgorithm()));
        signature.initSign(secret);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(shown);
        signature.update(text);
        try {
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false; // keys of different sizes or curves
        }
    }

    /** What the listener proves itself with. */
    PemKeyCertOptions keys(Tls tls) {
        return keys(tls.certificate(), tls.key());
    }

    /** What the gateway proves itself with. */
    PemKeyCertOptions keys(Path certificate, Path key) {
        return new PemKeyCertOptions().addCertValue(read(certificate)).addKeyValue(read(key));
    }

    /** The authorities that are believed. */
    PemTrustOptions authorities(Path ca) {
        return new PemTrustOptions().addCertValue(read(ca));
    }

    /** All that is read for an upstream: as long as it is equal, connections of before are as good as new ones. */
    List<Buffer> contents(Optional<UpstreamTls> tls) {
        List<Buffer> all = new ArrayList<>();
        tls.ifPresent(files -> Stream.of(files.ca(), files.certificate(), files.key())
                .flatMap(Optional::stream)
                .forEach(file -> all.add(read(file))));
        return List.copyOf(all);
    }

    private Buffer read(Path file) {
        Buffer content = contents.get(file);
        if (content == null) {
            throw new IllegalStateException("'" + file + "' was not read");
        }
        return content;
    }
}
