/** The worker that reads one long body for the index (texts-in-worker.ts). */
import { parentPort, workerData } from "node:worker_threads";
import type { Node } from "@svc/document/types";
import { batchesOf } from "../../../db/statement/batches.ts";
import type { BlockText } from "../write/document-blocks.ts";
import { type TextsPart, type TextsTask, textsHere } from "./texts-in-worker.ts";

/** Texts that are sent at once: some milliseconds to receive. */
const AT_ONCE = 5000;

function* partsOf({ title, segments }: TextsTask): Generator<TextsPart, TextsPart> {
  const blocks = segments.flatMap((json): Node[] => JSON.parse(json));
  const { added, outline } = textsHere(title, { blocks });
  for (const some of batchesOf<BlockText>(added, AT_ONCE)) yield { added: some, outline: undefined };
  return { added: [], outline };
}

const parts = partsOf(workerData);
parentPort?.on("message", () => parentPort?.postMessage(parts.next().value));
