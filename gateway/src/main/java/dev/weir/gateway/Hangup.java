package dev.weir.gateway;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * SIGHUP, by which operators ask for a reload. Java has no supported way to hear it; the one that every JDK has is looked up when the
 * program runs, and where it is missing the other ways to reload remain.
 */
final class Hangup {

    private Hangup() {}

    /** Runs the action on each SIGHUP, on a thread of the JVM's; false when this JVM cannot. */
    static boolean onEach(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler run = (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                    action.run();
                    return null;
                }
                return method.getName().equals("hashCode")
                        ? (Object) 0
                        : method.getName().equals("equals");
            };
            Object proxy = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, run);
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), proxy);
            return true;
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            return false;
        }
    }
}
