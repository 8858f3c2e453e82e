import { blockIds } from "@svc/document/blocks/find";
import { defined } from "@svc/document/defined";
import { normaliseNodes } from "@svc/document/schema/normalise";
import { type ValidateOptions, validateBlock } from "@svc/document/schema/validate";
import type { WantedChange } from "@svc/document/suggest/apply";
import type { Node } from "@svc/document/types";
import { newBlockId } from "../../../ids.ts";

/**
 * The blocks to store when a suggestion is accepted. Validates a proposed block like that of any other write, because
 * an import may have brought it; wordings were validated when they were read. New blocks get unique ids.
 */
export function fittingBlocks(
  current: readonly Node[],
  blocks: readonly Node[],
  wanted: readonly WantedChange[],
  rules: Pick<ValidateOptions, "maxCharacters" | "documentType">,
): readonly Node[] {
  const there = new Set(current);
  const fresh = new Set(blocks.filter((block) => !there.has(block)));
  if (fresh.size === 0) return blocks;
  for (const { id, after, wording } of wanted)
    if (after && !wording && fresh.has(after)) validateBlock(after, { ...rules, path: `changes[${id}].after` });
  const taken = blockIds(blocks.filter((block) => there.has(block)));
  const normal = normaliseNodes([...fresh], newBlockId, (id) => taken.has(id)).values();
  return blocks.map((block) => (fresh.has(block) ? defined(normal.next().value) : block));
}
