package dev.weir.gateway;

import dev.weir.WeirListener;
import dev.weir.rate.Charged;
import java.util.function.Consumer;

/** Tells operators when limits are decided without their store, and when no longer. */
record StoreNews(Consumer<String> events) implements WeirListener {

    @Override
    public void storeLost(Charged.Cause cause) {
        events.accept("weir: the store gave no answer (" + cause.word()
                + "): limits of the fleet decide by their on-store-failure");
    }

    @Override
    public void storeBack() {
        events.accept("weir: the store decides again");
    }
}
