package dev.weir.gateway;

import dev.weir.Weir;
import dev.weir.policy.Changes;
import dev.weir.policy.Policy;
import dev.weir.policyfile.GatewaySettings;
import dev.weir.policyfile.Loaded;
import dev.weir.policyfile.PolicyFile;
import dev.weir.policyfile.Warning;
import dev.weir.rate.RateStore;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The policy in force with all that follows from it, and how it is changed. A reload reads the file whole and then puts everything in the
 * old one's place at once; a file with an error changes nothing. Thread safe.
 */
final class Running {

    /**
     * One version of the policy. Immutable.
     *
     * @param version counts from 1
     * @param hash the SHA-256 of the policy file
     * @param filed the policy as the file says it
     * @param policy the same with what was changed at run time
     * @param readAlong the files that it was read from as well
     * @param tls what TLS is spoken with
     * @param stale when answers of a moment ago are served
     */
    record Snapshot(
            int version,
            String hash,
            Instant since,
            Policy filed,
            Policy policy,
            GatewaySettings settings,
            Routes routes,
            List<Warning> warnings,
            List<Path> readAlong,
            TlsFiles tls,
            StaleRules stale) {}

    /** What became of a reload. */
    sealed interface Reload {

        /** What came of it, for people. */
        String inWords();

        /**
         * The new policy is in force.
         *
         * @param changes which limits keep their counts
         * @param notes what takes a restart to change, for people
         */
        record Done(Snapshot now, Changes changes, List<String> notes) implements Reload {

            @Override
            public String inWords() {
                StringBuilder said = new StringBuilder("version " + now.version() + " is in force");
                if (!changes.reset().isEmpty()) {
                    said.append("; starting fresh: ").append(String.join(", ", changes.reset()));
                }
                notes.forEach(note -> said.append("; ").append(note));
                return said.toString();
            }
        }

        /** Nothing changed. */
        record Refused(List<String> problems) implements Reload {

            @Override
            public String inWords() {
                return "nothing changed: " + String.join("\n", problems);
            }
        }
    }

    /** Told anew ten times a second for as long as it lasts. */
    private static final Duration OUT = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final int doors;
    private final Path file;
    private final Map<String, String> environment;
    private final Weir weir;
    private final Optional<RateStore> store;
    private final Seen seen;
    private final RuntimeChanges changes;
    private final Consumer<String> events;
    private final StaleCopies copies = new StaleCopies();
    private volatile Snapshot now;
    private volatile Optional<Snapshot> previous = Optional.empty();

    Running(
            Vertx vertx,
            int doors,
            Path file,
            Map<String, String> environment,
            Weir weir,
            Optional<RateStore> store,
            Seen seen,
            Consumer<String> events,
            Snapshot first) {
        this.vertx = vertx;
        this.doors = doors;
        this.file = file;
        this.environment = environment;
        this.weir = weir;
        this.store = store;
        this.seen = seen;
        changes = new RuntimeChanges(store);
        this.events = events;
        now = first;
    }

    Snapshot now() {
        return now;
    }

    Optional<Snapshot> previous() {
        return previous;
    }

    /** Answers of a moment ago. */
    StaleCopies copies() {
        return copies;
    }

    Weir weir() {
        return weir;
    }

    /** What was changed at run time. */
    RuntimeChanges changes() {
        return changes;
    }

    /** Puts what was changed at run time, here or elsewhere in the fleet, into force, and what has ended out of it. */
    synchronized void applyChanges() {
        Snapshot old = now;
        Policy policy = changes.on(old.filed(), Instant.now());
        if (!policy.equals(old.policy())) {
            weir.reload(policy);
            now = new Snapshot(
                    old.version() + 1,
                    old.hash(),
                    Instant.now(),
                    old.filed(),
                    policy,
                    old.settings(),
                    old.routes(),
                    old.warnings(),
                    old.readAlong(),
                    old.tls(),
                    StaleRules.of(policy));
            previous = Optional.of(old);
        }
    }

    /** Where the fleet's budgets are counted; empty without one. */
    Optional<RateStore> store() {
        return store;
    }

    /** Hands back what was taken of the fleet's budgets in advance, and leaves the fleet. Blocks for at most a second. */
    void leaveFleet() {
        weir.close();
        store.ifPresent(RateStore::close);
    }

    Seen seen() {
        return seen;
    }

    Path file() {
        return file;
    }

    /**
     * Tells the policy's gates which dependencies are out: a pool may need a route by its name, which is out while no address of its
     * upstream is well. To be called often, by one thread.
     */
    void tellWhatIsOut() {
        Snapshot current = now;
        if (current.policy().gates().isEmpty()) {
            return;
        }
        for (Routes.Way way : current.routes().ways()) {
            String name = way.route().name();
            if (!way.pool().isWell()) {
                weir.dependencies().out(name, OUT);
            } else if (weir.dependencies().outForNanos(name).isPresent()) {
                weir.dependencies().back(name);
            }
        }
    }

    /** The files whose change means a reload: the policy and what it is read from, and what TLS is spoken with. */
    List<Path> files() {
        List<Path> files = new ArrayList<>(List.of(file));
        files.addAll(now.readAlong());
        files.addAll(now.tls().files());
        return files;
    }

    /** Reads the file anew. Blocks on the disk. */
    synchronized Reload reload() {
        String hash;
        Loaded loaded;
        try {
            hash = hash(file);
            loaded = PolicyFile.load(file, environment, Instant.now());
        } catch (IOException e) {
            return new Reload.Refused(List.of(file + ": cannot be read: " + e));
        }
        if (loaded instanceof Loaded.Refused refused) {
            return new Reload.Refused(
                    refused.problems().stream().map(Object::toString).toList());
        }
        Loaded.Understood understood = (Loaded.Understood) loaded;
        if (understood.gateway().isEmpty()) {
            return new Reload.Refused(List.of(file + ": there is no gateway section any more: put it back"));
        }
        TlsFiles tls = TlsFiles.of(vertx, understood);
        if (!tls.problems().isEmpty()) {
            return new Reload.Refused(
                    tls.problems().stream().map(Object::toString).toList());
        }
        GatewaySettings settings = understood.gateway().get();
        Snapshot old = now;
        if (understood.policy().store().isPresent() && store.isEmpty()) {
            return new Reload.Refused(List.of(file
                    + ": store: a store is opened at the start alone: start the gateway anew, or remove the section"));
        }
        Routes routes = Routes.of(vertx, settings, tls, doors, events, Optional.of(old.routes()));
        Policy policy = changes.on(understood.policy(), Instant.now());
        Changes kept = weir.reload(policy);
        Snapshot next = new Snapshot(
                old.version() + 1,
                hash,
                Instant.now(),
                understood.policy(),
                policy,
                settings,
                routes,
                understood.warnings(),
                understood.readAlong(),
                tls,
                StaleRules.of(policy));
        previous = Optional.of(old);
        now = next;
        old.routes().retireAllBut(routes);
        List<String> notes = notes(old.settings(), settings);
        if (!servers(old.policy()).equals(servers(next.policy()))) {
            notes.add("store.redis changes with the next start, but for lease and instances");
        }
        return new Reload.Done(next, kept, notes);
    }

    private static Optional<List<Object>> servers(Policy policy) {
        return policy.store().map(store -> List.of(store.redis(), store.timeout()));
    }

    private static List<String> notes(GatewaySettings old, GatewaySettings settings) {
        List<String> notes = new ArrayList<>();
        if (!old.listen().equals(settings.listen())) {
            notes.add("gateway.listen changes with the next start: still "
                    + old.listen().address());
        }
        if (!old.admin().equals(settings.admin())) {
            notes.add("gateway.admin changes with the next start: still "
                    + old.admin().address());
        }
        return notes;
    }

    /** The SHA-256 of a file, in hexadecimal. */
    static String hash(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
