import { parseMarkdown } from "@svc/document/markdown/parse";
import type { Node } from "@svc/document/types";
import { changeBody } from "../../../../bodies/change-body.ts";
import type { Tx } from "../../../../db/database.ts";
import { apiError, notFound } from "../../../../errors.ts";
import { requireExpected } from "../../../../http/preconditions.ts";
import type { Services } from "../../../../services.ts";
import { loadSetOf, targetsOf } from "../../../library/language-versions/load-set.ts";
import { insertChosen } from "../blocks/insert-chosen.ts";
import { lockState } from "../queries.ts";
import { type Review, reviewUnit } from "./review-unit.ts";
import { findUnit } from "./unit-queries.ts";

type Translation = Review & { readonly text: string };

/** Writes a person's translation into the target, creating a block if needed, and confirms it. */
export async function translateUnit(app: Services, tx: Tx, input: Translation) {
  const { workspaceId, unitId, text, actor } = input;
  const loaded = await loadSetOf(tx, workspaceId, input.documentId);
  const { document, source } = loaded;
  const targets = document.variant_role === "target" ? [document] : targetsOf(loaded);
  const targetIds = targets.map(({ id }) => id);
  const { document_id: targetId } = await findUnit(tx, workspaceId, targetIds, unitId);
  const changed = await changeBody(app, tx, {
    key: { workspaceId, documentId: targetId },
    reason: "blocks",
    actor,
    expected: requireExpected(input.expected),
    edit: async (current) => {
      if (!(await lockState(tx, workspaceId, targetId))) throw notFound("translation_unit", unitId);
      const unit = await findUnit(tx, workspaceId, [targetId], unitId);
      const line = { sourceBlockId: unit.source_block_id, nodes: lineOf(text) };
      const pair = { workspaceId, sourceId: source.id, targetId };
      const { blocks, unplaced } = await insertChosen(app, tx, pair, current, [{ unit, line }]);
      if (unplaced.length > 0) throw apiError("block_not_found", { block_id: unit.source_block_id });
      return blocks;
    },
  });
  return reviewUnit(tx, { ...input, expected: changed.version });
}

/** Parses one line of Markdown; block syntax is kept as literal text. */
function lineOf(text: string): readonly Node[] {
  const blocks = parseMarkdown(text);
  const [only] = blocks;
  if (blocks.length === 1 && only?.type === "paragraph") return only.content ?? [];
  return text.trim() === "" ? [] : [{ type: "text", text }];
}
