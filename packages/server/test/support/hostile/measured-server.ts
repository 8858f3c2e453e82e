/** The server as a program that tells its parent how much memory it holds, for tests of growth. Needs --expose-gc. */
import { setTimeout as sleep } from "node:timers/promises";
import { makeApp } from "@svc/server/app/make-app";
import { readConfig } from "@svc/server/config";

const app = await makeApp(readConfig(process.env));
const address = await app.server.listen({ host: "127.0.0.1", port: 0 });
process.send?.({ address });

/** Memory that is still held after everything that can be released was released. */
async function heldBytes(): Promise<number> {
  for (let times = 0; times < 3; times++) {
    globalThis.gc?.();
    await sleep(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

process.on("message", async (message) => {
  if (message === "memory") process.send?.({ held: await heldBytes() });
  if (message === "connections") app.server.server.getConnections((_, open) => process.send?.({ open }));
});
process.once("disconnect", () => process.exit(0));
