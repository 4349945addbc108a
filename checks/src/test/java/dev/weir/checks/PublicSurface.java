package dev.weir.checks;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Everything a user of a module can reach, as lines in a stable order: a type, and indented below it what it declares. */
final class PublicSurface {
    private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

    private final JavaClasses classes;

    PublicSurface(JavaClasses classes) {
        this.classes = classes;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        types().filter(PublicSurface::reachable).forEach(type -> {
            lines.add(header(type));
            members(type).forEach(member -> lines.add("    " + member));
        });
        return lines;
    }

    /** How many of the named types users can reach. */
    String share() {
        List<Class<?>> named = types().toList();
        long reachable = named.stream().filter(PublicSurface::reachable).count();
        return reachable + " of " + named.size() + " types are public ("
                + (named.isEmpty() ? 0 : Math.round(100.0 * reachable / named.size())) + " %)";
    }

    private Stream<Class<?>> types() {
        return classes.stream()
                .map(JavaClass::reflect)
                .<Class<?>>map(type -> type)
                .filter(type -> !type.isAnonymousClass() && !type.isLocalClass() && !type.isSynthetic())
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .sorted(Comparator.comparing(Class::getName));
    }

    private static boolean reachable(Class<?> type) {
        return visible(type.getModifiers())
                && (type.getDeclaringClass() == null || reachable(type.getDeclaringClass()));
    }

    private static boolean visible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static String header(Class<?> type) {
        String kind = type.isAnnotation()
                ? "annotation"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
        String components = type.isRecord()
                ? Arrays.stream(type.getRecordComponents())
                        .map(PublicSurface::component)
                        .collect(Collectors.joining(", ", "(", ")"))
                : "";
        Type parent = type.getGenericSuperclass();
        String extended = parent == null || parent == Object.class || type.isEnum() || type.isRecord()
                ? ""
                : " extends " + name(parent);
        String implemented = type.getInterfaces().length == 0
                ? ""
                : (type.isInterface() ? " extends " : " implements ") + names(type.getGenericInterfaces());
        return modifiers(type) + kind + " " + type.getName() + variables(type.getTypeParameters()) + components
                + extended + implemented;
    }

    private static String modifiers(Class<?> type) {
        boolean implied = type.isInterface() || type.isEnum() || type.isRecord();
        return (Modifier.isProtected(type.getModifiers()) ? "protected " : "")
                + (type.isSealed() && !type.isEnum() ? "sealed " : "")
                + (!implied && Modifier.isAbstract(type.getModifiers()) ? "abstract " : "")
                + (!implied && Modifier.isFinal(type.getModifiers()) ? "final " : "");
    }

    private static String component(RecordComponent component) {
        return name(component.getGenericType()) + " " + component.getName();
    }

    private static List<String> members(Class<?> type) {
        List<String> constants = type.isEnum()
                ? Arrays.stream(type.getEnumConstants())
                        .map(c -> ((Enum<?>) c).name())
                        .toList()
                : List.of();
        Stream<String> fields = own(type.getDeclaredFields())
                .filter(field -> !field.isEnumConstant())
                .map(PublicSurface::field);
        Stream<String> constructors = own(type.getDeclaredConstructors())
                .filter(constructor -> !isCanonical(type, constructor))
                .map(constructor -> access(constructor) + "new" + parameters(constructor));
        Stream<String> methods = own(type.getDeclaredMethods())
                .filter(method -> !isImplied(type, method))
                .map(PublicSurface::method);
        return Stream.of(constants.stream(), fields.sorted(), constructors.sorted(), methods.sorted())
                .flatMap(lines -> lines)
                .toList();
    }

    private static <M extends Member> Stream<M> own(M[] members) {
        return Arrays.stream(members).filter(member -> visible(member.getModifiers()) && !member.isSynthetic());
    }

    private static boolean isCanonical(Class<?> type, Constructor<?> constructor) {
        return type.isRecord()
                && Arrays.equals(
                        constructor.getParameterTypes(),
                        Arrays.stream(type.getRecordComponents())
                                .map(RecordComponent::getType)
                                .toArray());
    }

    /** What every object, enum or record of this shape has. */
    private static boolean isImplied(Class<?> type, Method method) {
        return OF_EVERY_OBJECT.contains(method.getName())
                || (type.isEnum()
                        && Set.of("values", "valueOf").contains(method.getName())
                        && Modifier.isStatic(method.getModifiers()))
                || (type.isRecord()
                        && Arrays.stream(type.getRecordComponents())
                                .anyMatch(component -> method.equals(component.getAccessor())));
    }

    private static String field(Field field) {
        return access(field) + (Modifier.isFinal(field.getModifiers()) ? "" : "mutable ") + name(field.getGenericType())
                + " " + field.getName();
    }

    private static String method(Method method) {
        String variables = variables(method.getTypeParameters());
        return access(method)
                + (method.isDefault() ? "default " : "")
                + (Modifier.isAbstract(method.getModifiers()) ? "abstract " : "")
                + (variables.isEmpty() ? "" : variables + " ")
                + name(method.getGenericReturnType()) + " " + method.getName() + parameters(method);
    }

    private static String access(Member member) {
        return (Modifier.isProtected(member.getModifiers()) ? "protected " : "")
                + (Modifier.isStatic(member.getModifiers()) ? "static " : "");
    }

    private static String parameters(Executable executable) {
        String thrown = executable.getGenericExceptionTypes().length == 0
                ? ""
                : " throws " + names(executable.getGenericExceptionTypes());
        return "(" + names(executable.getGenericParameterTypes()) + ")" + thrown;
    }

    private static String variables(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : Arrays.stream(variables)
                        .map(v -> v.getName()
                                + (v.getBounds()[0] == Object.class ? "" : " extends " + names(v.getBounds())))
                        .collect(Collectors.joining(", ", "<", ">"));
    }

    private static String names(Type[] types) {
        return Arrays.stream(types).map(PublicSurface::name).collect(Collectors.joining(", "));
    }

    /** Short where no reader would wonder: Weir's own types, which the headers name in full, and the JDK's everyday ones. */
    private static String name(Type type) {
        return type.getTypeName()
                .replaceAll("\\bjava\\.(lang|util|util\\.function|time)\\.(?=[A-Z])", "")
                .replaceAll("\\bdev\\.weir\\.([a-z]+\\.)*(?=[A-Z])", "")
                .replace('$', '.');
    }
}
