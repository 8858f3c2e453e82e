import { parentPort } from "node:worker_threads";
import { DocumentError } from "@svc/document/errors";
import { makeBody } from "./make-body.ts";
import { parseBlocks } from "./parse-blocks.ts";
import { type ParseReply, type ParseTask, READY } from "./parse-in-worker.ts";
import { refusalOf } from "./refusal.ts";

/**
 * Reads one body after another for the main thread. Trees are sent as JSON text, which is cheaper than cloning them.
 */
parentPort?.on("message", (task: ParseTask) => {
  parentPort?.postMessage(answer(task));
});
parentPort?.postMessage(READY);

function answer({ id, content, previous, ...rules }: ParseTask): ParseReply {
  try {
    if (previous === undefined) return { id, body: makeBody(content, rules) };
    return { id, json: JSON.stringify(parseBlocks(content, JSON.parse(previous), rules)) };
  } catch (error) {
    if (error instanceof DocumentError) return { id, refusal: refusalOf(error) };
    return { id, failure: String(error) };
  }
}
