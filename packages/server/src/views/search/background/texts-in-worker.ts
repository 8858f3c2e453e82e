import type { StoredBody } from "../../../bodies/body.ts";
import { OwnThread } from "../../../threads/own-thread.ts";
import type { BlockText } from "../write/document-blocks.ts";
import { type BodyTexts, textsHere } from "./body-texts.ts";
import type * as tasks from "./texts-worker.ts";

/** Characters of a body's JSON that take some ten milliseconds to read. Longer bodies are read in a worker. */
const LONG_CHARS = 500_000;

/** Reads a long body in a worker and receives its texts in parts, so that no part takes long to receive. */
export async function textsInWorker(title: string, body: StoredBody): Promise<BodyTexts> {
  const segments = body.segments.map(({ json }) => json);
  if (segments.reduce((sum, { length }) => sum + length, 0) < LONG_CHARS) return textsHere(title, body);
  const thread = new OwnThread<typeof tasks>(new URL("./texts-worker.ts", import.meta.url));
  try {
    await thread.run("begin", { title, segments });
    const added: BlockText[] = [];
    for (;;) {
      const part = await thread.run("nextPart", undefined);
      added.push(...part.added);
      if (part.outline !== undefined) return { added, outline: part.outline };
    }
  } finally {
    await thread.close();
  }
}
