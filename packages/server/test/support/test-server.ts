/** The server with the test routes beside its own, as a program: for tests that kill it. */
import { makeApp } from "@svc/server/app/make-app";
import { readConfig } from "@svc/server/config";
import { routes } from "@svc/server/routes";
import { testRoutes } from "./test-routes.ts";

const app = await makeApp(readConfig(process.env), [...routes, ...testRoutes]);
const address = await app.server.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`${JSON.stringify({ address })}\n`);
process.once("SIGTERM", () => void app.close().then(() => process.exit(0)));
