import { diffPlaces } from "@svc/document/diff";
import { isRecord } from "@svc/document/guards";
import { type ProposedChange, proposedChanges } from "@svc/document/suggest/changes";
import type { Node } from "@svc/document/types";
import type { StoredBody } from "../../../bodies/body.ts";
import type { BodyChange, ChangedBody } from "../../../bodies/change-body.ts";
import { readBody } from "../../../bodies/load-body.ts";
import type { SentContent } from "../../../bodies/parsing/parse-blocks.ts";
import type { Tx } from "../../../db/database.ts";
import type { SuggestionRow } from "../../../db/schema/tables/discussion.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { yieldToWriters } from "../../../db/transaction/yield-to-writers.ts";
import { actorOf } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import { type Answer, accepted, ok } from "../../../http/answer.ts";
import { isSuggestion } from "../../../http/callers/authenticate.ts";
import { checkExpected, requireExpected } from "../../../http/preconditions.ts";
import { DryRun, type Input } from "../../../http/route.ts";
import { newId } from "../../../ids.ts";
import { followersOf, notify } from "../../../notify/notify.ts";
import { quotaExceeded } from "../../../quota-error.ts";
import { authorColumns, authorOf } from "../../identity/authors/author.ts";
import { lockDocument } from "../../library/documents/queries.ts";
import { checkMayDiscuss } from "../../library/knowledge-bases/may-discuss.ts";
import { changedIds } from "../content/changed-ids.ts";
import { type LeftOutWarning, leftOut } from "./left-out.ts";
import { countOpen, insertSuggestion } from "./queries.ts";
import { newChanges } from "./stored-change.ts";

/** Limit of open suggestions per document. */
const MAX_OPEN = 1000;

const REFUSED_NOTE = "Somebody was typing here, so this change waits for a decision.";

export type Proposing = Input<{ readonly id: string }, unknown, unknown> & { readonly tx: Tx };

/** A proposed body, based on the body that its author saw. */
interface Proposal {
  readonly base: StoredBody;
  readonly changes: readonly ProposedChange[];
  readonly note: string;
}

/** Locks the document, so that it cannot be deleted, and checks that this caller may make suggestions for it. */
export async function lockForProposal(input: Proposing) {
  const document = await lockDocument(input.tx, input.caller.workspaceId, input.params.id);
  await checkMayDiscuss(input.tx, input.caller, document.knowledge_base_id);
  return document;
}

/** Stores a proposal for people to decide. The body does not change. */
export async function propose(
  input: Proposing,
  document: DocumentRow,
  { base, changes, note }: Proposal,
): Promise<SuggestionRow> {
  const { tx, caller, params } = input;
  const actor = actorOf(input);
  const used = await countOpen(tx, caller.workspaceId, params.id);
  if (used >= MAX_OPEN) throw quotaExceeded("suggestions", MAX_OPEN, used);
  const now = Date.now();
  const row: SuggestionRow = {
    ...authorColumns(caller, actor),
    workspace_id: caller.workspaceId,
    id: newId("sug"),
    document_id: params.id,
    base_version: base.version,
    status: "open",
    note,
    changes: JSON.stringify(newChanges(changes)),
    revision: 1,
    created_at: now,
    updated_at: now,
    decided_at: null,
    decided_by: null,
    decision_reason: null,
  };
  await insertSuggestion(tx, row);
  ledgerOf(tx, caller.workspaceId).event("suggestion.created", document, actor, {
    suggestion: { id: row.id, status: row.status },
  });
  const workspaceId = row.workspace_id;
  const news = { workspaceId, document, actor: authorOf(row), excerpt: note, suggestionId: row.id };
  await notify(input.app, tx, news, [{ reason: "suggestion", userIds: await followersOf(tx, document) }]);
  return row;
}

/** Whether this write should become a suggestion. */
export const isSuggesting = ({ caller, query }: Pick<Proposing, "caller" | "query">): boolean =>
  isSuggestion(caller, query);

interface SuggestedEdit extends Pick<BodyChange, "edit" | "needsExpected"> {
  /** The whole body, if one was sent. */
  readonly content?: SentContent;
  /** Responds to an edit that changes nothing, as the direct write would. */
  readonly unchanged?: (same: ChangedBody) => Answer;
}

/** Stores an edit as a suggestion instead of applying it; responds 202, or 200 if it changes nothing. */
export async function suggestEdit(
  input: Proposing,
  { edit, needsExpected, content, unchanged }: SuggestedEdit,
): Promise<Answer> {
  const { tx, caller, params, ifMatch } = input;
  const document = await lockForProposal(input);
  const base = await readBody(tx, { workspaceId: caller.workspaceId, documentId: params.id });
  checkExpected(needsExpected ? requireExpected(ifMatch) : ifMatch, base.version);
  const warnings = content ? leftOut(content, document) : [];
  return answerProposed(input, document, { base, blocks: await edit(base), note: "" }, warnings, unchanged);
}

/** Stores a write as a suggestion because it could not be merged with live edits. */
export const suggestRefused = async (input: Proposing, base: StoredBody, blocks: readonly Node[]): Promise<Answer> =>
  answerProposed(input, await lockForProposal(input), { base, blocks, note: REFUSED_NOTE }, []);

async function answerProposed(
  input: Proposing,
  document: DocumentRow,
  { base, blocks, note }: Pick<Proposal, "base" | "note"> & { readonly blocks: readonly Node[] },
  warnings: readonly LeftOutWarning[],
  unchanged?: SuggestedEdit["unchanged"],
): Promise<Answer> {
  const { query } = input;
  // Each step takes long for a long body, so others run between them.
  await yieldToWriters();
  const changes = proposedChanges(base.blocks, blocks);
  await yieldToWriters();
  const data = {
    version: base.version,
    changed_block_ids: proposedIds(base, blocks),
    ...(warnings.length > 0 && { warnings }),
  };
  await yieldToWriters();
  if (changes.length === 0) return unchanged?.(sameAs(base)) ?? ok(data, { etag: base.version });
  const { id } = await propose(input, document, { base, changes, note });
  if (isRecord(query) && query.dry_run) throw new DryRun(accepted({ suggestion_id: null, ...data }));
  return accepted({ suggestion_id: id, ...data });
}

const sameAs = (body: StoredBody): ChangedBody => ({
  version: body.version,
  changed: false,
  changes: [],
  before: body,
  after: body,
  merged: false,
});

const proposedIds = (before: StoredBody, blocks: readonly Node[]): string[] =>
  changedIds({ changes: diffPlaces(before.blocks, blocks), before, after: { blocks } });
