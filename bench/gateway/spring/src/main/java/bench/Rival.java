package bench;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;

/** Forwards everything to the address in its first argument, without a limit: its limiter needs Redis. */
@SpringBootApplication
public class Rival {
    public static void main(String[] args) {
        SpringApplication.run(Rival.class, args);
    }

    @Bean
    RouteLocator routes(RouteLocatorBuilder routes) {
        return routes.routes()
                .route("all", route -> route.path("/**").uri(System.getProperty("upstream")))
                .build();
    }
}
