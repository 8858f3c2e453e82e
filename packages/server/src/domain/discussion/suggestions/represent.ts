import { defined } from "@svc/document/defined";
import { plainText } from "@svc/document/read/text";
import { idOf } from "@svc/document/schema/node";
import { isInConflict } from "@svc/document/suggest/changes";
import type { Node } from "@svc/document/types";
import type { StoredBody } from "../../../bodies/body.ts";
import { blockMarkdown } from "../../../bodies/parsing/block-markdown.ts";
import type { SuggestionRow, SuggestionStatus } from "../../../db/schema/tables/discussion.ts";
import { mapInTurns } from "../../../db/transaction/yield-to-writers.ts";
import { readChanges, type StoredChange } from "../../content/proposals/stored-change.ts";
import { authorOf } from "../../identity/authors/author.ts";
import { suggestionVersion } from "./queries.ts";

type ChangeState = StoredChange["state"] | "conflict";

type FindBlock = (id: string) => Node | undefined;

/** The state of a change relative to the current body. */
const stateOf = (change: StoredChange, find: FindBlock): ChangeState =>
  change.state === "open" && isInConflict(find(change.block_id), change) ? "conflict" : change.state;

/** More blocks than this are found by a map of the body instead of a search for each. */
const FEW_CHANGES = 16;

function finder(body: StoredBody, changes: number): FindBlock {
  if (changes <= FEW_CHANGES) return (id) => topBlock(body, id);
  const blocks = new Map(body.blocks.map((block) => [idOf(block), block]));
  return (id) => blocks.get(id);
}

/** The top-level block with this id; undefined if the block is now nested. */
function topBlock(body: StoredBody, id: string): Node | undefined {
  const position = body.positionOf(id);
  const block = position === undefined ? undefined : body.blocks[position];
  return block?.attrs?.id === id ? block : undefined;
}

const side = (node: Node | null) => node && { markdown: blockMarkdown(node).text.trimEnd(), text: plainText(node) };

const changeOf = (change: StoredChange, state: ChangeState) => ({
  id: change.id,
  block_id: change.block_id,
  change_type: change.change_type,
  before: side(change.before),
  after: side(change.after),
  state,
});

/** An open suggestion that cannot be applied any more is stale once its base is no longer kept. */
function statusOf(row: SuggestionRow, states: readonly ChangeState[], isBaseKept: boolean): SuggestionStatus {
  if (row.status !== "open" || isBaseKept) return row.status;
  const undecided = states.filter((state) => state === "open" || state === "conflict");
  return undecided.every((state) => state === "conflict") ? "stale" : "open";
}

export async function suggestionOf(row: SuggestionRow, body: StoredBody, isBaseKept: boolean) {
  const changes = readChanges(row.changes);
  const find = finder(body, changes.length);
  const states = changes.map((change) => stateOf(change, find));
  return {
    id: row.id,
    document_id: row.document_id,
    base_version: row.base_version,
    status: statusOf(row, states, isBaseKept),
    author: authorOf(row),
    note: row.note,
    changes: await mapInTurns(changes, (change, i) => changeOf(change, defined(states[i]))),
    created_at: row.created_at,
    updated_at: row.updated_at,
    decided_at: row.decided_at,
    decided_by: row.decided_by,
    decision_reason: row.decision_reason,
    version: suggestionVersion(row),
  };
}
