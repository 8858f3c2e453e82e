import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { outlineOf } from "@svc/search/text/outline";
import type { StoredBody } from "../../../bodies/body.ts";
import { type BlockText, textsOf } from "../write/document-blocks.ts";

/** Characters of a body's JSON that take some ten milliseconds to read. Longer bodies are read in a worker. */
const LONG_CHARS = 500_000;

/** Everything that the index should hold of a body. */
export interface BodyTexts {
  /** The title first. */
  readonly added: readonly BlockText[];
  /** As JSON. */
  readonly outline: string;
}

export interface TextsTask {
  readonly title: string;
  /** JSON of the blocks of each segment. */
  readonly segments: readonly string[];
}

/** A part of the texts; the last one has the outline. */
export interface TextsPart {
  readonly added: readonly BlockText[];
  readonly outline: string | undefined;
}

/** Reads a body in this thread. */
export const textsHere = (title: string, { blocks }: Pick<StoredBody, "blocks">): BodyTexts => ({
  added: textsOf(title, blocks),
  outline: JSON.stringify(outlineOf(blocks)),
});

/** Reads a long body in a worker and receives its texts in parts, so that no part takes long to receive. */
export async function textsInWorker(title: string, body: StoredBody): Promise<BodyTexts> {
  const segments = body.segments.map(({ json }) => json);
  if (segments.reduce((sum, { length }) => sum + length, 0) < LONG_CHARS) return textsHere(title, body);
  const workerData: TextsTask = { title, segments };
  const thread = new Worker(new URL("./texts-worker.ts", import.meta.url), { workerData });
  try {
    const added: BlockText[] = [];
    for (;;) {
      thread.postMessage("next");
      const [part]: TextsPart[] = await once(thread, "message");
      added.push(...(part?.added ?? []));
      if (part?.outline !== undefined) return { added, outline: part.outline };
    }
  } finally {
    await thread.terminate();
  }
}
