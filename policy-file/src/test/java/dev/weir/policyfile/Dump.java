package dev.weir.policyfile;

import dev.weir.policy.Limit;
import dev.weir.policy.Policy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Everything a policy says, as one text that is the same for equal policies. */
final class Dump {

    private static final Set<Class<?>> OPEN = Set.of(Policy.class, Limit.class);

    private Dump() {}

    static String of(Object value) {
        try {
            return text(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(Object value) throws ReflectiveOperationException {
        if (value instanceof Optional<?> optional) {
            return optional.isPresent() ? text(optional.get()) : "-";
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                sorted.put(text(entry.getKey()), text(entry.getValue()));
            }
            return sorted.toString();
        }
        if (value instanceof Collection<?> many) {
            Collection<String> texts = value instanceof Set ? new TreeSet<>() : new java.util.ArrayList<>();
            for (Object one : many) {
                texts.add(text(one));
            }
            return texts.toString();
        }
        if (value.getClass().isRecord()) {
            return record(value);
        }
        return OPEN.contains(value.getClass()) ? accessors(value) : value.toString();
    }

    private static String record(Object value) throws ReflectiveOperationException {
        StringBuilder out = new StringBuilder(value.getClass().getSimpleName()).append('(');
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            out.append(component.getName())
                    .append('=')
                    .append(text(component.getAccessor().invoke(value)))
                    .append("; ");
        }
        return out.append(')').toString();
    }

    private static String accessors(Object value) throws IllegalAccessException, InvocationTargetException {
        Map<String, String> parts = new TreeMap<>();
        List<String> not =
                List.of("hashCode", "toString", "getClass", "notify", "notifyAll", "builder", "stateIdentity");
        for (Method method : value.getClass().getMethods()) {
            if (method.getParameterCount() == 0
                    && !not.contains(method.getName())
                    && method.getReturnType() != void.class) {
                try {
                    parts.put(method.getName(), text(method.invoke(value)));
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(method.toString(), e);
                }
            }
        }
        return value.getClass().getSimpleName() + parts + "\n";
    }
}
