/** One more server for a store that a test has set up: unlike the real program, it offers no set-up link of its own. */
import { makeApp } from "@svc/server/app/make-app";
import { readConfig } from "@svc/server/config";

const app = await makeApp(readConfig(process.env));
const address = await app.server.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`${JSON.stringify({ address })}\n`);
process.once("SIGTERM", () => void app.close().then(() => process.exit(0)));
