import { defined } from "@svc/document/defined";
import { plainText } from "@svc/document/read/text";
import { isInConflict } from "@svc/document/suggest/changes";
import type { Node } from "@svc/document/types";
import type { StoredBody } from "../../../bodies/body.ts";
import { blockMarkdown } from "../../../bodies/parsing/block-markdown.ts";
import type { SuggestionRow, SuggestionStatus } from "../../../db/schema/tables/discussion.ts";
import { readChanges, type StoredChange } from "../../content/proposals/stored-change.ts";
import { authorOf } from "../../identity/authors/author.ts";
import { suggestionVersion } from "./queries.ts";

type ChangeState = StoredChange["state"] | "conflict";

/** The state of a change relative to the current body. */
const stateOf = (change: StoredChange, body: StoredBody): ChangeState =>
  change.state === "open" && isInConflict(topBlock(body, change.block_id), change) ? "conflict" : change.state;

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

export function suggestionOf(row: SuggestionRow, body: StoredBody, isBaseKept: boolean) {
  const changes = readChanges(row.changes);
  const states = changes.map((change) => stateOf(change, body));
  return {
    id: row.id,
    document_id: row.document_id,
    base_version: row.base_version,
    status: statusOf(row, states, isBaseKept),
    author: authorOf(row),
    note: row.note,
    changes: changes.map((change, i) => changeOf(change, defined(states[i]))),
    created_at: row.created_at,
    updated_at: row.updated_at,
    decided_at: row.decided_at,
    decided_by: row.decided_by,
    decision_reason: row.decision_reason,
    version: suggestionVersion(row),
  };
}
