import type { Worker as Child } from "node:cluster";
import type { FromWorker, ToWorker } from "./messages.ts";

/** A worker that does not answer in time is left out. */
const LIMIT_MS = 2000;
let rounds = 0;

/** The figures of these workers, as far as they answer. */
export async function gatherMetrics(children: readonly Child[]): Promise<string[]> {
  const request = ++rounds;
  const texts = await Promise.all(children.map((child) => ask(child, request)));
  return texts.filter((text) => text !== undefined);
}

function ask(child: Child, request: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const giveUp = () => resolve(undefined);
  const heard = (message: FromWorker) => {
    if (message.kind === "metrics" && message.request === request) resolve(message.text);
  };
  const timer = setTimeout(giveUp, LIMIT_MS);
  child.on("message", heard).once("exit", giveUp);
  child.send({ kind: "tell-metrics", request } satisfies ToWorker, (error) => error && giveUp());
  return promise.finally(() => {
    clearTimeout(timer);
    child.off("message", heard).off("exit", giveUp);
  });
}
