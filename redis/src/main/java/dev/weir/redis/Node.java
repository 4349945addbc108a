package dev.weir.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.lang.System.Logger;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One server, or the primary that sentinels name, and the connection to it. Thread safe; never blocks and never throws.
 *
 * <p>The client's own reconnecting is off: it would write again what was written and not answered. A connection that breaks takes everything
 * that was under way with it, unrepeated, and a new one is made here. One that only falls silent (a half-open socket) is replaced when a probe
 * on it stays without answer and a fresh connection comes about.
 */
final class Node {

    private static final Logger LOG = System.getLogger("dev.weir.redis");
    private static final long FIRST_PAUSE_NANOS = 20_000_000L;
    private static final long LAST_PAUSE_NANOS = 1_000_000_000L;

    /** How often a script that is forgotten before it runs is loaded again; then it is sent whole. */
    private static final int MOST_LOADS = 2;

    private static final long COMPLAIN_AGAIN_NANOS = 60_000_000_000L;

    private final RedisClient client;
    private final RedisURI address;
    private final Pulse pulse;
    private final Breaker breaker = new Breaker();
    private final LongAdder commands;
    private final ConcurrentHashMap<Script, CompletableFuture<Void>> loading = new ConcurrentHashMap<>();
    private final AtomicBoolean connecting = new AtomicBoolean();
    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private final Runnable onConnect;
    private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;
    private volatile long connectAtNanos;
    private volatile long pauseNanos = FIRST_PAUSE_NANOS;
    private volatile boolean stale;
    private volatile @Nullable String trouble;
    private String complaint = "";
    private long complainedNanos;
    private volatile boolean closed;

    Node(RedisClient client, RedisURI address, Pulse pulse, LongAdder commands, Runnable onConnect) {
        this.client = client;
        this.address = address;
        this.pulse = pulse;
        this.commands = commands;
        this.onConnect = onConnect;
        this.connectAtNanos = pulse.now();
    }

    RedisURI address() {
        return address;
    }

    Breaker breaker() {
        return breaker;
    }

    /** When it was connected for the first time. */
    CompletionStage<Void> connected() {
        return connected;
    }

    boolean isConnected() {
        StatefulRedisConnection<byte[], byte[]> present = connection;
        return present != null && present.isOpen();
    }

    /** Why it cannot be used at present, in words for operators; empty while nothing is known against it. */
    Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Says why it cannot be used: a wrong password, say. The same is said once a minute. */
    private void complain(Throwable error) {
        String text = place() + ": " + Trouble.why(error);
        trouble = text;
        long now = pulse.now();
        synchronized (this) {
            if (text.equals(complaint) && now - complainedNanos < COMPLAIN_AGAIN_NANOS) {
                return;
            }
            complaint = text;
            complainedNanos = now;
        }
        LOG.log(Logger.Level.WARNING, "the store cannot be used: {0}", text);
    }

    private String place() {
        return address.getSentinels().isEmpty()
                ? address.getHost() + ":" + address.getPort()
                : "the primary " + address.getSentinelMasterId() + " of the sentinels";
    }

    /** The server answered a bill with an error. One that may not write any more, since another took its place, is left. */
    void refused(Throwable error) {
        complain(error);
        stale |= Trouble.says(error, "READONLY");
    }

    /** The server decided a bill. */
    void answered() {
        breaker.answered();
        if (trouble != null) {
            trouble = null;
        }
    }

    /** What must be done now and again: connecting, and probing while the breaker is open. */
    void tend() {
        long now = pulse.now();
        if ((!isConnected() || stale) && now - connectAtNanos >= 0) {
            connect();
        }
        if (breaker.mayProbe(now)) {
            probe();
        }
    }

    private void connect() {
        if (closed || !connecting.compareAndSet(false, true)) {
            return;
        }
        try {
            var unused = client.connectAsync(ByteArrayCodec.INSTANCE, address).whenComplete(this::connected);
        } catch (RuntimeException e) {
            connected(null, e);
        }
    }

    private void connected(@Nullable StatefulRedisConnection<byte[], byte[]> fresh, @Nullable Throwable error) {
        long now = pulse.now();
        if (fresh == null || error != null) {
            complain(error == null ? Trouble.notConnected() : error);
            connectAtNanos = now + pauseNanos;
            pauseNanos = Math.min(2 * pauseNanos, LAST_PAUSE_NANOS);
            connecting.set(false);
            return;
        }
        StatefulRedisConnection<byte[], byte[]> old = connection;
        fresh.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> gone) {
                connectAtNanos = pulse.now();
            }
        });
        connection = fresh;
        stale = false;
        trouble = null;
        pauseNanos = FIRST_PAUSE_NANOS;
        connecting.set(false);
        if (old != null) {
            var unused = old.closeAsync();
        }
        if (closed) {
            var unused = fresh.closeAsync();
            return;
        }
        breaker.probed(true, now);
        connected.complete(null);
        onConnect.run();
    }

    /** Asks whether the server answers within a bill's time, and tells the breaker. */
    CompletionStage<Boolean> probe() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        StatefulRedisConnection<byte[], byte[]> present = connection;
        if (present == null || !present.isOpen()) {
            breaker.probed(false, pulse.now());
            answer.complete(false);
            return answer;
        }
        Probe probe = new Probe(answer, present, pulse.now());
        pulse.add(probe);
        present.async().ping().whenComplete((pong, error) -> probe.ends(error == null));
        return answer;
    }

    private final class Probe implements Pulse.Due {
        private final CompletableFuture<Boolean> answer;
        private final StatefulRedisConnection<byte[], byte[]> asked;
        private final long dueNanos;

        Probe(CompletableFuture<Boolean> answer, StatefulRedisConnection<byte[], byte[]> asked, long now) {
            this.answer = answer;
            this.asked = asked;
            this.dueNanos = now + pulse.budgetNanos();
        }

        void ends(boolean answered) {
            if (answer.complete(answered)) {
                breaker.probed(answered, pulse.now());
            }
            // An answer that comes late shows that the connection lives: what comes next may well be in time.
            if (connection == asked) {
                stale = !answered;
            }
        }

        @Override
        public long dueNanos() {
            return dueNanos;
        }

        @Override
        public boolean isDone() {
            return answer.isDone();
        }

        @Override
        public void expire() {
            ends(false);
        }
    }

    /** Runs a script and tells what came of it, once. A script that the server does not know is loaded and run again: nothing had run. */
    void run(Script script, byte[][] keys, byte[][] args, BiConsumer<@Nullable Object, @Nullable Throwable> told) {
        StatefulRedisConnection<byte[], byte[]> present = connection;
        if (present == null || !present.isOpen()) {
            told.accept(null, Trouble.notConnected());
            return;
        }
        run(present.async(), script, keys, args, told, MOST_LOADS);
    }

    private void run(
            RedisAsyncCommands<byte[], byte[]> to,
            Script script,
            byte[][] keys,
            byte[][] args,
            BiConsumer<@Nullable Object, @Nullable Throwable> told,
            int loadsLeft) {
        run(to, script, keys, args, (value, error) -> {
            if (error == null || !Trouble.says(error, "NOSCRIPT")) {
                told.accept(value, error);
            } else if (loadsLeft > 0) {
                load(to, script).whenComplete((loaded, failed) -> run(to, script, keys, args, told, loadsLeft - 1));
            } else {
                tell(told, () -> to.eval(script.body(), script.output(), keys, args));
            }
        });
    }

    private void run(
            RedisAsyncCommands<byte[], byte[]> to,
            Script script,
            byte[][] keys,
            byte[][] args,
            BiConsumer<@Nullable Object, @Nullable Throwable> told) {
        tell(told, () -> to.evalsha(script.digest(), script.output(), keys, args));
    }

    private void tell(
            BiConsumer<@Nullable Object, @Nullable Throwable> told, Supplier<CompletionStage<Object>> command) {
        commands.increment();
        try {
            command.get().whenComplete(told);
        } catch (RuntimeException e) {
            told.accept(null, e);
        }
    }

    /** The same on a slot that is on its way here: the server is told so for the one command that follows. */
    void runAsked(Script script, byte[][] keys, byte[][] args, BiConsumer<@Nullable Object, @Nullable Throwable> told) {
        StatefulRedisConnection<byte[], byte[]> present = connection;
        if (present == null || !present.isOpen()) {
            told.accept(null, Trouble.notConnected());
            return;
        }
        load(present.async(), script).whenComplete((loaded, failed) -> {
            commands.increment();
            AsyncCommand<byte[], byte[], String> asking =
                    new AsyncCommand<>(new Command<>(CommandType.ASKING, new StatusOutput<>(ByteArrayCodec.INSTANCE)));
            AsyncCommand<byte[], byte[], ?> command = new AsyncCommand<>(command(script, keys, args));
            var unused = command.whenComplete((value, error) -> told.accept(value, error));
            try {
                // Written as one, so that nobody comes between the two.
                present.dispatch(List.of(asking, command));
            } catch (RuntimeException e) {
                told.accept(null, e);
            }
        });
    }

    private static Command<byte[], byte[], ?> command(Script script, byte[][] keys, byte[][] args) {
        CommandArgs<byte[], byte[]> words = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add(script.digest())
                .add(keys.length)
                .addKeys(keys)
                .addValues(args);
        return script.output() == ScriptOutputType.INTEGER
                ? new Command<>(CommandType.EVALSHA, new IntegerOutput<>(ByteArrayCodec.INSTANCE), words)
                : new Command<>(CommandType.EVALSHA, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE), words);
    }

    /** Many find at once that the script is missing; one loads it. */
    private CompletionStage<Void> load(RedisAsyncCommands<byte[], byte[]> to, Script script) {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> theirs = loading.putIfAbsent(script, mine);
        if (theirs != null) {
            return theirs;
        }
        commands.increment();
        to.scriptLoad(script.body()).whenComplete((digest, error) -> {
            loading.remove(script, mine);
            mine.complete(null);
        });
        return mine;
    }

    /** Asks anything else of the server; the stage fails when nobody is connected. */
    <T> CompletionStage<T> ask(Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> question) {
        StatefulRedisConnection<byte[], byte[]> present = connection;
        if (present == null || !present.isOpen()) {
            return CompletableFuture.failedFuture(Trouble.notConnected());
        }
        return question.apply(present.async());
    }

    void close() {
        closed = true;
        StatefulRedisConnection<byte[], byte[]> present = connection;
        if (present != null) {
            var unused = present.closeAsync();
        }
    }
}
