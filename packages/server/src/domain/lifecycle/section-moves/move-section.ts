import { insertAt } from "@svc/document/blocks/edit";
import { blockIds } from "@svc/document/blocks/find";
import { type Position, resolvePosition } from "@svc/document/blocks/position";
import { defined } from "@svc/document/defined";
import { sectionOf } from "@svc/document/edit-markdown/section";
import { idsOf } from "@svc/document/schema/node";
import type { Body, Node } from "@svc/document/types";
import type { StoredBody } from "../../../bodies/body.ts";
import { type ChangedBody, changeBody } from "../../../bodies/change-body.ts";
import { readBody } from "../../../bodies/load-body.ts";
import { TransactionOutdated, type Tx } from "../../../db/database.ts";
import { invalidRequest, notFound } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import { checkExpected, type Expected } from "../../../http/preconditions.ts";
import type { Services } from "../../../services.ts";
import { copyAttachments } from "../../content/attachments/copy-attachments.ts";
import { requireRoom } from "../../discussion/comments/discussion.ts";
import { lockStatesAround } from "../../knowledge/localization/queries.ts";
import { checkRowQuota } from "../../library/quotas/row-quota.ts";
import { listLinking, moveAttached } from "./queries.ts";
import { blocksLinking, type Moved, relink } from "./relink.ts";

interface SectionMove {
  readonly workspaceId: string;
  readonly from: string;
  readonly blockId: string;
  readonly to: string;
  readonly position: Position;
  readonly expected: Expected | undefined;
  readonly actor: Actor;
  /** Whether the caller may write in a knowledge base: links are updated only there. */
  readonly mayWrite: (knowledgeBaseId: number) => boolean;
}

type Linking = readonly { readonly document_id: string; readonly block_id: string }[];

interface MovedSection {
  readonly source: ChangedBody;
  readonly target: ChangedBody;
  readonly movedIds: readonly string[];
  readonly relinked: Linking;
  /** Documents with links to the section that the caller may not change; their links stay as they were. */
  readonly notRelinked: Linking;
}

/** Moves the section of a heading, or one block, to a position in this or another document. */
export async function moveSection(app: Services, tx: Tx, move: SectionMove): Promise<MovedSection> {
  const { workspaceId, from, to } = move;
  if (from === to) return moveWithin(app, tx, move);
  const linking = await listWritable(tx, move, blockIds((await sectionIn(tx, move)).section));
  const ids = [...new Set([from, to, ...linking.writable])].sort();
  if ((await tx.lockAll("body", workspaceId, ids)).length < ids.length) throw notFound("document", to);
  await tx.lockAll("document", workspaceId, ids);
  await lockStatesAround(tx, workspaceId, ids);
  const { body, section } = await sectionIn(tx, move);
  checkExpected(move.expected, body.version);
  const moved: Moved = { from, to, blockIds: blockIds(section) };
  const now = await listWritable(tx, move, moved.blockIds);
  if (!now.writable.every((id) => ids.includes(id))) throw new TransactionOutdated();
  const notRelinked = await linksIn(tx, workspaceId, now.others, moved);
  const { blocks: arriving } = await copyAttachments(app, tx, {
    workspaceId,
    from,
    to,
    blocks: relink(section, moved),
  });
  await takeAlong(app, tx, workspaceId, moved);
  const going = new Set(section);
  const edits: Record<string, (current: StoredBody) => readonly Node[]> = {
    [from]: (current) =>
      relink(
        current.blocks.filter((block) => !going.has(block)),
        moved,
      ),
    [to]: (current) => {
      const relinked: Body = { type: "doc", content: relink(current.blocks, moved) };
      const { locate: _, ...context } = current.editContext(app.config);
      return insertAt(relinked, move.position, arriving, context).content;
    },
  };
  const relinked: { document_id: string; block_id: string }[] = [];
  const changed = new Map<string, ChangedBody>();
  for (const documentId of ids) {
    const key = { workspaceId, documentId };
    const edit = (current: StoredBody) => {
      const staying = current.blocks.filter((block) => documentId !== from || !going.has(block));
      for (const block_id of blocksLinking(staying, moved)) relinked.push({ document_id: documentId, block_id });
      return edits[documentId]?.(current) ?? relink(current.blocks, moved);
    };
    changed.set(
      documentId,
      await changeBody(app, tx, { key, reason: "blocks", actor: move.actor, expected: "*", edit }),
    );
  }
  const [source, target] = [defined(changed.get(from)), defined(changed.get(to))];
  return { source, target, movedIds: idsOf(section), relinked, notRelinked };
}

/** Moves the blocks' attached content along, as far as the target has room for it. */
async function takeAlong(
  { config }: Pick<Services, "config">,
  tx: Tx,
  workspaceId: string,
  moved: Moved,
): Promise<void> {
  const { hasThreads, hasRelations } = await moveAttached(tx, workspaceId, moved);
  if (hasThreads) await requireRoom({ tx }, { workspace_id: workspaceId, document_id: moved.to }, 0);
  if (hasRelations) await checkRowQuota(tx, config, "manual_relations", workspaceId, moved.to, 0);
}

/**
 * Documents that link to the blocks, grouped by whether the caller may write them. Both documents of the move count as
 * writable.
 */
async function listWritable(tx: Tx, { workspaceId, from, to, mayWrite }: SectionMove, ids: ReadonlySet<string>) {
  const linking = [...(await listLinking(tx, workspaceId, from, ids))];
  const isWritable = ([id, knowledgeBaseId]: [string, number]) => id === from || id === to || mayWrite(knowledgeBaseId);
  return {
    writable: linking.filter(isWritable).map(([id]) => id),
    others: linking.filter((each) => !isWritable(each)).map(([id]) => id),
  };
}

async function linksIn(tx: Tx, workspaceId: string, ids: readonly string[], moved: Moved): Promise<Linking> {
  const found: { document_id: string; block_id: string }[] = [];
  for (const documentId of ids) {
    const { blocks } = await readBody(tx, { workspaceId, documentId });
    for (const block_id of blocksLinking(blocks, moved)) found.push({ document_id: documentId, block_id });
  }
  return found;
}

async function sectionIn(tx: Tx, { workspaceId, from, blockId }: SectionMove) {
  const body = await readBody(tx, { workspaceId, documentId: from });
  return { body, section: sectionBlocks(body, blockId) };
}

/** A heading represents its section, any other top-level block itself. */
function sectionBlocks(body: StoredBody, blockId: string): readonly Node[] {
  const position = body.positionOf(blockId);
  if (position === undefined) throw notFound("block", blockId);
  if (defined(body.blocks[position]).attrs?.id !== blockId)
    throw invalidRequest("path.blockId", "is not a top-level block: only sections and top-level blocks move");
  const { from, to } = sectionOf(body.body, blockId);
  return body.blocks.slice(from, to);
}

/** Within one document, moves the blocks. */
async function moveWithin(app: Services, tx: Tx, move: SectionMove): Promise<MovedSection> {
  let movedIds: readonly string[] = [];
  const edit = (current: StoredBody): readonly Node[] => {
    const section = sectionBlocks(current, move.blockId);
    movedIds = idsOf(section);
    const place = resolvePosition(current.body, move.position, current.editContext(app.config));
    if (place.parent.length > 0) throw invalidRequest("body.position", "must be at the top level");
    const start = current.blocks.indexOf(defined(section[0]));
    if (place.index > start && place.index < start + section.length)
      throw invalidRequest("body.position", "is inside the moved section");
    const index = place.index > start ? place.index - section.length : place.index;
    const rest = current.blocks.toSpliced(start, section.length);
    return rest.toSpliced(index, 0, ...section);
  };
  const changed = await changeBody(app, tx, {
    key: { workspaceId: move.workspaceId, documentId: move.from },
    reason: "blocks",
    actor: move.actor,
    expected: move.expected,
    edit,
  });
  return { source: changed, target: changed, movedIds, relinked: [], notRelinked: [] };
}
