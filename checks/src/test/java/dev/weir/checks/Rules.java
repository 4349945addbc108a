package dev.weir.checks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.regex.Pattern;
import java.util.stream.BaseStream;

/** The architecture. Each rule takes the root package it is about, so that fixtures can stand in for the product. */
final class Rules {

    /** What each package of core may use of Weir beside itself. The root package is the empty name. */
    private static final Map<String, Set<String>> BELOW = Map.of(
            "rate", Set.of(),
            "load", Set.of(),
            "client", Set.of("rate", "load"),
            "policy", Set.of("rate", "load", "client"),
            "fleet", Set.of("rate", "load", "policy"),
            "", Set.of("rate", "load", "client", "policy", "fleet"),
            "http", Set.of("", "policy", "rate", "client"),
            "httpclient", Set.of("", "http", "client", "load"));

    /** What the packages below the root measure and wait by: these types of the root package, and nothing else of it. */
    private static final Map<String, Set<String>> TIME = Map.of(
            "rate", Set.of("Ticker"),
            "load", Set.of("Ticker"),
            "fleet", Set.of("Ticker"),
            "client", Set.of("Ticker", "Delay"));

    private static final Pattern EMPTY_NAME =
            Pattern.compile("(Abstract|Base)[A-Z].*|.+(Utils?|Helpers?|Managers?|Impl)");

    private Rules() {}

    /** Core's packages use each other one way, and beside that only the JDK and the annotations of JSpecify. */
    static ArchRule oneWay(String root) {
        return classes()
                .should(new ArchCondition<>("use only what lies below their package") {
                    @Override
                    public void check(JavaClass user, ConditionEvents events) {
                        String place = place(root, user);
                        if (!BELOW.containsKey(place)) {
                            violated(
                                    events,
                                    user,
                                    user.getFullName() + " lies in a package without a place in Rules.BELOW");
                            return;
                        }
                        for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
                            if (!mayUse(root, place, dependency.getTargetClass().getBaseComponentType())) {
                                violated(events, user, dependency.getDescription());
                            }
                        }
                    }
                })
                .allowEmptyShould(true);
    }

    private static boolean mayUse(String root, String place, JavaClass used) {
        String name = used.getPackageName();
        if (!(name.equals(root) || name.startsWith(root + "."))) {
            return name.isEmpty() // int and its like
                    || name.startsWith("java.")
                    || name.startsWith("javax.")
                    || name.startsWith("com.sun.management")
                    || name.startsWith("jdk.")
                    || name.startsWith("org.jspecify.annotations");
        }
        String target = place(root, used);
        return target.equals(place)
                || BELOW.getOrDefault(place, Set.of()).contains(target)
                || TIME.getOrDefault(place, Set.of()).stream()
                        .anyMatch(time -> used.getName().equals(root + "." + time));
    }

    /** The package below the root: {@code rate}, or empty for the root itself. */
    private static String place(String root, JavaClass type) {
        String name = type.getPackageName();
        return name.equals(root) ? "" : name.substring(root.length() + 1);
    }

    /** The command line is the outermost edge: nothing else knows it. */
    static ArchRule nobodyUsesTheCommandLine(String root) {
        return noClasses()
                .that()
                .resideOutsideOfPackage(root + ".cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(root + ".cli..")
                .allowEmptyShould(true);
    }

    /** The simulation plays limits and has none: it asks the gate or a rival, and no type of its own is one. */
    static ArchRule simulatesAndDecidesNothing(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + ".sim..")
                .should(new ArchCondition<>("be limits or step one") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        String name = type.getSimpleName();
                        boolean isLimit = name.matches(".*(Limit|Limiter|Algorithm|Gradient)");
                        boolean isRival = type.getAllRawInterfaces().stream()
                                .anyMatch(each -> each.getName().equals("com.netflix.concurrency.limits.Limit"));
                        if (isLimit || isRival) {
                            events.add(SimpleConditionEvent.satisfied(type, type.getFullName() + " is a limit"));
                        }
                    }
                })
                .allowEmptyShould(true);
    }

    /** The simulation goes through the gate as others do. */
    static ArchRule simulationUsesTheGate(String root) {
        return classes()
                .that()
                .haveFullyQualifiedName(root + ".sim.GateDoor")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName(root + ".load.Gate")
                .allowEmptyShould(true);
    }

    /** Time is an argument: only a class named Ticker or Clock reads it. */
    static ArchRule onlyTickersReadTheTime() {
        return noClasses()
                .that(DescribedPredicate.describe(
                        "are no ticker or clock",
                        type -> !type.getSimpleName().endsWith("Ticker")
                                && !type.getSimpleName().endsWith("Clock")))
                .should()
                .accessTargetWhere(DescribedPredicate.describe("the target reads the time", Rules::readsTheTime))
                .allowEmptyShould(true);
    }

    private static boolean readsTheTime(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        String name = access.getTarget().getName();
        return owner.isEquivalentTo(System.class)
                ? name.equals("nanoTime") || name.equals("currentTimeMillis")
                : owner.getPackageName().startsWith("java.time")
                        && (name.equals("now") || name.startsWith("system") || name.startsWith("tick"));
    }

    /** A name says what a thing is. */
    static ArchRule namesSaySomething() {
        return classes()
                .should(new ArchCondition<>("have a name that says what they are") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        if (EMPTY_NAME.matcher(type.getSimpleName()).matches()) {
                            violated(
                                    events,
                                    type,
                                    type.getFullName() + " is named after its role in the code, not after the notion");
                        }
                    }
                })
                .allowEmptyShould(true);
    }

    /** Core tells a listener; it neither prints nor logs. */
    static ArchRule neitherPrintsNorLogs() {
        return noClasses()
                .should()
                .accessTargetWhere(DescribedPredicate.describe("the target prints or logs", Rules::printsOrLogs))
                .allowEmptyShould(true);
    }

    private static boolean printsOrLogs(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        String name = access.getTarget().getName();
        return (owner.isEquivalentTo(System.class)
                        && Set.of("out", "err", "getLogger").contains(name))
                || (owner.isAssignableTo(Throwable.class) && name.equals("printStackTrace"))
                || owner.isAssignableTo(System.Logger.class)
                || owner.getPackageName().startsWith("java.util.logging");
    }

    /** Core runs on its callers' threads. */
    static ArchRule startsNoThreads() {
        return noClasses()
                .should()
                .accessTargetWhere(
                        DescribedPredicate.describe("the target makes or starts threads", Rules::startsThreads))
                .allowEmptyShould(true);
    }

    private static boolean startsThreads(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        String name = access.getTarget().getName();
        return (owner.isAssignableTo(Thread.class)
                        && (name.equals("<init>") || name.startsWith("start") || name.startsWith("of")))
                || owner.getName().startsWith("java.lang.Thread$Builder")
                || owner.isAssignableTo(Executors.class)
                || owner.isAssignableTo(ForkJoinPool.class)
                || (owner.getName().endsWith("ThreadPoolExecutor") && name.equals("<init>"))
                || owner.getName().equals("java.util.Timer")
                || owner.isAssignableTo(TimerTask.class)
                || (owner.isAssignableTo(CompletableFuture.class) && name.endsWith("Async"))
                || name.equals("parallelStream")
                || (owner.isAssignableTo(BaseStream.class) && name.equals("parallel"));
    }

    private static void violated(ConditionEvents events, JavaClass type, String message) {
        events.add(SimpleConditionEvent.violated(type, message));
    }
}
