import { defined } from "@svc/document/defined";
import { excerpt, plainText } from "@svc/document/read/text";
import { idOf } from "@svc/document/schema/node";
import { rankTexts } from "@svc/search/query/rank-texts";
import type { Digest } from "./deterministic.ts";
import type { DocumentTarget } from "./target.ts";

const MAX_BLOCKS = 5;
const MAX_EXCERPT = 400;

/** The blocks that answer a query best, in document order. Never stored. */
export function digestFor(query: string, { key, body, range: [start, end] }: DocumentTarget): Digest {
  const blocks = body.blocks.slice(start, end);
  const ranked = rankTexts(query, blocks.map(plainText)).slice(0, MAX_BLOCKS);
  const chosen = [...ranked].sort((a, b) => a - b).map((index) => defined(blocks[index]));
  return {
    text: chosen
      .map((block) => `> ${excerpt(plainText(block).replace(/\s+/gu, " ").trim(), MAX_EXCERPT)}`)
      .join("\n\n"),
    outline: [],
    sourceBlockIds: chosen.map(idOf),
    sourceDocumentIds: [key.targetId],
    covered: chosen.length,
    total: blocks.length,
  };
}
