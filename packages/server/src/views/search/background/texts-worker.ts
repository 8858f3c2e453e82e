/** The worker that reads one long body for the index (texts-in-worker.ts). */
import type { Node } from "@svc/document/types";
import { batchesOf } from "../../../db/statement/batches.ts";
import type { BlockText } from "../write/document-blocks.ts";
import { textsHere } from "./body-texts.ts";

interface TextsTask {
  readonly title: string;
  /** JSON of the blocks of each segment. */
  readonly segments: readonly string[];
}

/** A part of the texts; the last one has the outline. */
interface TextsPart {
  readonly added: readonly BlockText[];
  readonly outline: string | undefined;
}

/** Texts that are sent at once: some milliseconds to receive. */
const AT_ONCE = 5000;

const LAST: TextsPart = { added: [], outline: "[]" };

let parts: Iterator<TextsPart, TextsPart> | undefined;

export function begin(task: TextsTask): void {
  parts = partsOf(task);
}

export const nextPart = (_: undefined): TextsPart => parts?.next().value ?? LAST;

function* partsOf({ title, segments }: TextsTask): Generator<TextsPart, TextsPart> {
  const blocks = segments.flatMap((json): Node[] => JSON.parse(json));
  const { added, outline } = textsHere(title, { blocks });
  for (const some of batchesOf<BlockText>(added, AT_ONCE)) yield { added: some, outline: undefined };
  return { added: [], outline };
}
