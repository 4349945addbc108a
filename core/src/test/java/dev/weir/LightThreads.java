package dev.weir;

import java.util.concurrent.ThreadFactory;

/** Virtual threads where the JVM has them. */
public final class LightThreads {

    private LightThreads() {}

    /** Makes them, not started. */
    public static ThreadFactory factory() throws ReflectiveOperationException {
        if (Runtime.version().feature() < 21) {
            return Thread::new;
        }
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        return (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    }
}
