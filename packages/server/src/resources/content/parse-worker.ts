import { parentPort } from "node:worker_threads";
import { DocumentError } from "@svc/document/errors";
import type { ParseReply, ParseTask } from "./parse-aside.ts";
import { parseBlocks } from "./parse-blocks.ts";

/** Parses one body after another for the main thread. Trees go as JSON text, which is cheaper than cloning them. */
parentPort?.on("message", (task: ParseTask) => {
  parentPort?.postMessage(answer(task));
});

function answer({ id, content, previous, ...rules }: ParseTask): ParseReply {
  try {
    const blocks = parseBlocks(content, JSON.parse(previous), rules);
    return { id, json: JSON.stringify(blocks) };
  } catch (error) {
    if (error instanceof DocumentError)
      return { id, refusal: { code: error.code, message: error.message, details: error.details } };
    return { id, failure: String(error) };
  }
}
