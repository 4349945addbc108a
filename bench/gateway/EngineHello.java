import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;

/** The floor of a refusal: the gateway's engine answering every request with a word. Run from source by bench/gateway/run. */
class EngineHello {
    public static void main(String[] args) {
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(2));
        HttpServerOptions options = new HttpServerOptions().setHost("127.0.0.1").setPort(Integer.parseInt(args[0]));
        vertx.deployVerticle(
                () -> new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        return vertx.createHttpServer(options)
                                .requestHandler(request -> request.response().end("hello"))
                                .listen();
                    }
                },
                new DeploymentOptions().setInstances(2));
    }
}
