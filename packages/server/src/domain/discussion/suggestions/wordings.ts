import { parseMarkdown } from "@svc/document/markdown/parse";
import { withId } from "@svc/document/schema/node";
import { invalid, type ValidateOptions, validateBlock } from "@svc/document/schema/validate";
import type { WantedChange } from "@svc/document/suggest/apply";
import type { Node } from "@svc/document/types";
import { invalidRequest } from "../../../errors.ts";
import { newBlockId } from "../../../ids.ts";
import type { StoredChange } from "../../content/proposals/stored-change.ts";

/** A person's own wording for a change. */
export type Wording = { readonly change_id: string } & ({ readonly markdown: string } | { readonly node: unknown });

/** Refuses two wordings for one change, because it would be unclear which one is meant. */
export function checkNamedOnce(wordings: readonly Wording[]): void {
  const named = new Set<string>();
  wordings.forEach(({ change_id }, i) => {
    if (named.has(change_id)) throw invalidRequest(`body.edits[${i}].change_id`, "names a change a second time");
    named.add(change_id);
  });
}

/** The change with the person's wording, if they sent one. */
export function withWording(
  change: StoredChange,
  wordings: readonly Wording[],
  rules: Pick<ValidateOptions, "maxCharacters" | "documentType">,
): WantedChange {
  const index = wordings.findIndex(({ change_id }) => change_id === change.id);
  const wording = wordings[index];
  if (!wording) return change;
  const nodes = blocksOf(wording, `edits[${index}]`, rules);
  // The first block replaces the one that the change is about; the others are new.
  return { ...change, wording: nodes.map((node, i) => withId(node, i === 0 ? change.block_id : newBlockId())) };
}

function blocksOf(wording: Wording, path: string, rules: ValidateOptions): readonly Node[] {
  if ("node" in wording) return [validateBlock(wording.node, { ...rules, path: `${path}.node` })];
  const blocks = parseMarkdown(wording.markdown);
  if (blocks.length === 0) throw invalid(`${path}.markdown`, "has no block");
  return blocks.map((block, i) => validateBlock(block, { ...rules, path: `${path}.markdown[${i}]` }));
}
