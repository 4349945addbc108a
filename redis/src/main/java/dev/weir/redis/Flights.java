package dev.weir.redis;

import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.StoreFigures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Bills on their way to the store. Equal ones share a script: while one is under way those that come are gathered, and go together when it is
 * back; the script decides about them one after the other, and each is told its own answer. So a hot key costs one command a round trip,
 * whatever the number of callers, and nobody waits who is alone. Different bills do not wait for each other: two scripts are under way for each
 * slot, one at the server and one on its way, and only when they are do those that come share the next one, each decided as if it came alone.
 *
 * <p>A bill that is out of time is answered, whatever happens to it later. What is not answered in time no longer holds up those that wait behind
 * it. A bill whose time ends before it was sent is not sent.
 */
final class Flights {

    private static final int MOST_TOGETHER = 1_024;
    private static final int MOST_UNDER_WAY = 2;
    private static final int MOST_LINES = 64;
    private static final Holds.Asked NOTHING_HELD = new Holds.Asked(0, 0);

    private final Route route;
    private final ChargeScript script;
    private final Holds holds;
    private final Names names;
    private final Pulse pulse;
    private final ConcurrentHashMap<List<FleetCharge>, Flight> flights = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Integer, Outbox> outboxes = new ConcurrentHashMap<>();
    private volatile boolean closed;

    Flights(Route route, ChargeScript script, Holds holds, Names names, Pulse pulse) {
        this.route = route;
        this.script = script;
        this.holds = holds;
        this.names = names;
        this.pulse = pulse;
    }

    /** Charges a bill whose keys share a slot. */
    CompletableFuture<Charged> charge(List<FleetCharge> bill, int slot) {
        Call call = new Call(pulse.now() + pulse.budgetNanos());
        if (closed) {
            call.complete(new Charged.Unavailable(Charged.Cause.CLOSED, false));
            return call;
        }
        Optional<Node> node = route.node(slot);
        if (node.isPresent() && node.get().breaker().state() != StoreFigures.State.CLOSED) {
            call.complete(new Charged.Unavailable(Charged.Cause.BREAKER_OPEN, false));
            return call;
        }
        pulse.add(call);
        while (!flights.computeIfAbsent(bill, b -> new Flight(b, slot)).board(call)) {
            Thread.onSpinWait();
        }
        return call;
    }

    void close() {
        closed = true;
    }

    /** A call, its time, and its future. */
    private static final class Call extends CompletableFuture<Charged> implements Pulse.Due {
        private final long dueNanos;
        private @Nullable Batch sentWith;
        private boolean over;

        Call(long dueNanos) {
            this.dueNanos = dueNanos;
        }

        /** Goes with that batch; false when its time is over, and what it was told is that it was not sent. */
        synchronized boolean leave(Batch batch) {
            sentWith = over ? sentWith : batch;
            return !over;
        }

        private synchronized @Nullable Batch giveUp() {
            over = true;
            return sentWith;
        }

        @Override
        public long dueNanos() {
            return dueNanos;
        }

        @Override
        public void expire() {
            Batch batch = giveUp();
            // Before the caller knows: its next call must find the breaker as this one leaves it.
            if (batch != null && !isDone()) {
                batch.overdue();
            }
            complete(new Charged.Unavailable(Charged.Cause.TIMEOUT, batch != null));
        }
    }

    /** Equal bills: one batch under way, and the calls that wait for it. */
    private final class Flight {
        private final List<FleetCharge> bill;
        private final int slot;
        private final ArrayDeque<Call> waiting = new ArrayDeque<>();
        private @Nullable Batch underWay;
        private boolean over;

        Flight(List<FleetCharge> bill, int slot) {
            this.bill = bill;
            this.slot = slot;
        }

        /** False when the flight is over, and another one is to be taken. */
        boolean board(Call call) {
            Batch batch;
            synchronized (this) {
                if (over) {
                    return false;
                }
                if (underWay != null) {
                    waiting.add(call);
                    return true;
                }
                batch = new Batch(this, List.of(call));
                underWay = batch;
            }
            batch.send();
            return true;
        }

        /** The batch is back, or given up: who waits goes now. */
        void landed(Batch batch) {
            Batch next = null;
            synchronized (this) {
                if (underWay != batch) {
                    return;
                }
                List<Call> calls = new ArrayList<>(Math.min(waiting.size(), MOST_TOGETHER));
                while (!waiting.isEmpty() && calls.size() < MOST_TOGETHER) {
                    Call call = waiting.poll();
                    if (!call.isDone()) {
                        calls.add(call);
                    }
                }
                if (calls.isEmpty()) {
                    over = true;
                    underWay = null;
                    flights.remove(bill, this);
                } else {
                    next = new Batch(this, calls);
                    underWay = next;
                }
            }
            if (next != null) {
                next.send();
            }
        }
    }

    /** Batches of one slot on their way out: few scripts are under way at once, and what comes meanwhile shares the next. */
    private final class Outbox {
        private final int slot;
        private final ArrayDeque<Batch> waiting = new ArrayDeque<>(2);
        private int underWay;

        Outbox(int slot) {
            this.slot = slot;
        }

        void send(Batch batch) {
            synchronized (this) {
                waiting.add(batch);
            }
            depart();
        }

        /** Sends what may go. */
        void depart() {
            for (Train train = next(); train != null && !train.leave(); train = next()) {
                landed();
            }
        }

        private synchronized @Nullable Train next() {
            if (underWay >= MOST_UNDER_WAY || waiting.isEmpty()) {
                return null;
            }
            List<Batch> together = new ArrayList<>(Math.min(waiting.size(), MOST_LINES));
            int lines = 0;
            for (Batch first = waiting.peek(); first != null; first = waiting.peek()) {
                lines += first.flight.bill.size();
                if (lines > MOST_LINES && !together.isEmpty()) {
                    break;
                }
                together.add(waiting.remove());
            }
            underWay++;
            return new Train(this, together);
        }

        synchronized void landed() {
            underWay--;
        }
    }

    /** Batches that share a script. */
    private final class Train {
        private final Outbox outbox;
        private final List<Batch> batches;
        private final AtomicBoolean over = new AtomicBoolean();

        Train(Outbox outbox, List<Batch> batches) {
            this.outbox = outbox;
            this.batches = batches;
        }

        /** False when nobody waits any more. */
        boolean leave() {
            for (int i = batches.size() - 1; i >= 0; i--) {
                Batch batch = batches.get(i);
                if (!batch.board(this)) {
                    batches.remove(i);
                    batch.flight.landed(batch);
                }
            }
            if (batches.isEmpty()) {
                return false;
            }
            ChargeScript.Question question =
                    script.new Question(batches.stream().map(Batch::said).toList());
            route.run(
                    outbox.slot,
                    question.script(),
                    question.keys(),
                    question.args(),
                    (value, error) -> back(question, value, error));
            return true;
        }

        private void back(ChargeScript.Question question, @Nullable Object value, @Nullable Throwable error) {
            if (value == null || error != null) {
                Throwable what = error == null ? new IllegalStateException("an empty answer") : error;
                land();
                batches.forEach(batch -> batch.lost(what));
                return;
            }
            List<ChargeScript.Answer> answers = question.read(value);
            for (int i = 0; i < batches.size(); i++) {
                batches.get(i).back(answers.get(i));
            }
            // What waits goes first, and then those who wait are told.
            land();
            batches.forEach(Batch::tell);
        }

        /** It is back, or given up: others may go. */
        void land() {
            if (over.compareAndSet(false, true)) {
                outbox.landed();
                outbox.depart();
            }
        }
    }

    /** Equal calls, one after the other in a script. */
    private final class Batch {
        private final Flight flight;
        private List<Call> calls;
        private List<Holds.Asked> asked = List.of();
        private List<Charged> told = List.of();
        private @Nullable Train train;
        private boolean misfit;

        Batch(Flight flight, List<Call> calls) {
            this.flight = flight;
            this.calls = calls;
        }

        void send() {
            outboxes.computeIfAbsent(flight.slot, Outbox::new).send(this);
        }

        /** Goes with that train; false when none of its calls waits any more. */
        boolean board(Train train) {
            this.train = train;
            calls = calls.stream().filter(call -> call.leave(this)).toList();
            asked = calls.isEmpty() ? List.of() : ask(flight.bill);
            return !calls.isEmpty();
        }

        ChargeScript.Said said() {
            return new ChargeScript.Said(flight.bill, calls.size(), asked);
        }

        private List<Holds.Asked> ask(List<FleetCharge> bill) {
            List<Holds.Asked> all = new ArrayList<>(bill.size());
            for (FleetCharge charge : bill) {
                all.add(
                        charge.use() instanceof FleetCharge.InFlight
                                ? holds.ask(names.count(charge), charge, calls.size())
                                : NOTHING_HELD);
            }
            return all;
        }

        /** Notes what the store said; {@link #tell} follows. */
        void back(ChargeScript.Answer answer) {
            if (answer instanceof ChargeScript.Answer.Decided decided) {
                answered(decided);
            } else if (answer instanceof ChargeScript.Answer.Failed failed) {
                lost(failed.error());
            } else if (misfit) {
                lost(new IllegalStateException("the store's clock fits no window twice"));
            } else {
                misfit = true;
                forget();
                send();
            }
        }

        private void answered(ChargeScript.Answer.Decided answer) {
            route.node(flight.slot).ifPresent(Node::answered);
            List<Reading> readings = new ArrayList<>(answer.lines());
            List<Charged> all = new ArrayList<>(calls.size());
            for (int i = 0; i < answer.passed(); i++) {
                all.add(ChargeScript.granted(flight.bill, readings));
            }
            if (all.size() < calls.size()) {
                Charged refused = new Charged.Refused(ChargeScript.told(flight.bill, readings));
                while (all.size() < calls.size()) {
                    all.add(refused);
                }
            }
            hold(all);
            told = all;
            flight.landed(this);
        }

        /** Books what is held in flight now, before the callers know. */
        private void hold(List<Charged> told) {
            for (int i = 0; i < asked.size(); i++) {
                FleetCharge charge = flight.bill.get(i);
                if (charge.use() instanceof FleetCharge.InFlight) {
                    int line = i;
                    long held = told.stream()
                            .filter(each -> each instanceof Charged.Granted granted
                                    && granted.lines().get(line).charged())
                            .count();
                    holds.answered(names.count(charge), asked.get(i).before(), held, told.size() - held);
                }
            }
        }

        /** Tells the callers what was noted, if anything was. */
        void tell() {
            for (int i = 0; i < told.size(); i++) {
                tell(calls.get(i), told.get(i));
            }
        }

        /** A call that was given up keeps its charge, and holds nothing in flight. */
        private void tell(Call call, Charged told) {
            if (!call.complete(told) && told instanceof Charged.Granted granted) {
                for (RedisReceipt.Mark mark : ((RedisReceipt) granted.receipt()).marks()) {
                    if (mark.charged() && mark.charge().use() instanceof FleetCharge.InFlight) {
                        holds.release(names.count(mark.charge()));
                    }
                }
            }
        }

        void lost(Throwable error) {
            Charged.Unavailable answer = Trouble.unavailable(error);
            forget();
            flight.landed(this);
            if (answer.cause() == Charged.Cause.ERROR) {
                route.node(flight.slot).ifPresent(node -> node.refused(error));
            }
            boolean counts = answer.cause() != Charged.Cause.OUT_OF_MEMORY && answer.cause() != Charged.Cause.ERROR;
            for (Call call : calls) {
                if (counts && !call.isDone()) {
                    failed();
                }
                call.complete(answer);
            }
        }

        private void forget() {
            for (FleetCharge charge : flight.bill) {
                if (charge.use() instanceof FleetCharge.InFlight) {
                    holds.lost(names.count(charge), calls.size());
                }
            }
        }

        /** One of the calls was given up. */
        void overdue() {
            flight.landed(this);
            Train its = train;
            if (its != null) {
                its.land();
            }
            failed();
        }

        private void failed() {
            route.node(flight.slot).ifPresent(node -> {
                if (node.breaker().failed(pulse.now())) {
                    node.tend();
                }
            });
        }
    }
}
