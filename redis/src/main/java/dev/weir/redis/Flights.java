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
import org.jspecify.annotations.Nullable;

/**
 * Bills on their way to the store. Equal ones share a script: while one is under way those that come are gathered, and go together when it is
 * back; the script decides about them one after the other, and each is told its own answer. So a hot key costs one command a round trip,
 * whatever the number of callers, and nobody waits who is alone. Different bills do not wait for each other: they are pipelined.
 *
 * <p>A bill that is out of time is answered, whatever happens to it later. What is not answered in time no longer holds up those that wait behind
 * it. A bill whose time ends before it was sent is not sent.
 */
final class Flights {

    private static final int MOST_TOGETHER = 1_024;

    private final Route route;
    private final ChargeScript script;
    private final Holds holds;
    private final Names names;
    private final Pulse pulse;
    private final ConcurrentHashMap<List<FleetCharge>, Flight> flights = new ConcurrentHashMap<>();
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
        private volatile @Nullable Batch sentWith;

        Call(long dueNanos) {
            this.dueNanos = dueNanos;
        }

        @Override
        public long dueNanos() {
            return dueNanos;
        }

        @Override
        public void expire() {
            Batch batch = sentWith;
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

    /** Calls that share a script. */
    private final class Batch {
        private final Flight flight;
        private final List<Call> calls;
        private List<Holds.Asked> asked = List.of();
        private boolean misfit;

        Batch(Flight flight, List<Call> calls) {
            this.flight = flight;
            this.calls = calls;
        }

        void send() {
            List<FleetCharge> bill = flight.bill;
            for (Call call : calls) {
                call.sentWith = this;
            }
            asked = ask(bill);
            route.run(
                    flight.slot, Script.CHARGE, script.keys(bill), script.args(bill, calls.size(), asked), this::back);
        }

        private List<Holds.Asked> ask(List<FleetCharge> bill) {
            List<Holds.Asked> all = new ArrayList<>(bill.size());
            for (FleetCharge charge : bill) {
                all.add(
                        charge.use() instanceof FleetCharge.InFlight
                                ? holds.ask(names.count(charge), charge, calls.size())
                                : new Holds.Asked(0, 0));
            }
            return all;
        }

        private void back(@Nullable Object value, @Nullable Throwable error) {
            if (value == null || error != null) {
                lost(error == null ? new IllegalStateException("an empty answer") : error);
                return;
            }
            Optional<ChargeScript.Answer> answer = script.read(flight.bill, value);
            if (answer.isPresent()) {
                answered(answer.get());
            } else if (misfit) {
                lost(new IllegalStateException("the store's clock fits no window twice"));
            } else {
                misfit = true;
                forget();
                send();
            }
        }

        private void answered(ChargeScript.Answer answer) {
            route.node(flight.slot).ifPresent(Node::answered);
            List<Reading> readings = new ArrayList<>(answer.lines());
            List<Charged> told = new ArrayList<>(calls.size());
            long granted = answer.passed();
            for (int i = 0; i < granted; i++) {
                told.add(ChargeScript.granted(flight.bill, readings));
            }
            if (granted < calls.size()) {
                Charged refused = new Charged.Refused(ChargeScript.told(flight.bill, readings));
                while (told.size() < calls.size()) {
                    told.add(refused);
                }
            }
            hold(told);
            flight.landed(this);
            for (int i = 0; i < calls.size(); i++) {
                tell(calls.get(i), told.get(i));
            }
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

        private void lost(Throwable error) {
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
