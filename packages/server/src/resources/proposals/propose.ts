import { diffPlaces } from "@svc/document/diff";
import { isRecord } from "@svc/document/guards";
import { type ProposedChange, proposedChanges } from "@svc/document/suggest/changes";
import type { Node } from "@svc/document/types";
import { readBody, type StoredBody } from "../../bodies/body.ts";
import { type BodyChange, lockDocument } from "../../bodies/change-body.ts";
import type { Tx } from "../../db/database.ts";
import type { SuggestionRow } from "../../db/schema/tables/discussion.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { notFound } from "../../errors.ts";
import { actorOf } from "../../events/actor.ts";
import { ledgerOf } from "../../events/ledger.ts";
import { type Answer, accepted, ok } from "../../http/answer.ts";
import { isSuggestion } from "../../http/callers/authenticate.ts";
import { checkExpected, requireExpected } from "../../http/preconditions.ts";
import { DryRun, type Input } from "../../http/route.ts";
import { newId } from "../../ids.ts";
import { quotaExceeded } from "../../quota-error.ts";
import { authorColumns, authorOf } from "../authors/author.ts";
import { changedIds } from "../content/changed-ids.ts";
import type { SentContent } from "../content/parse-blocks.ts";
import { checkMayDiscuss } from "../knowledge-bases/may-discuss.ts";
import { followersOf, notify } from "../notifications/notify.ts";
import { leftOut } from "./left-out.ts";
import { countOpen, insertSuggestion } from "./queries.ts";
import { newChanges } from "./stored-change.ts";

/** Open suggestions that one document may have. */
const MAX_OPEN = 1000;

export type Proposing = Input<{ readonly id: string }, unknown, unknown> & { readonly tx: Tx };

/** What somebody wants the body to become, seen from the body that they looked at. */
interface Proposal {
  readonly base: StoredBody;
  readonly changes: readonly ProposedChange[];
  readonly note: string;
}

/** Locks the document, so that it stays, and checks that this caller may make suggestions for it. */
export async function lockForProposal(input: Proposing) {
  const key = { workspaceId: input.caller.workspaceId, documentId: input.params.id };
  const document = await lockDocument(input.tx, key);
  if (!document) throw notFound("document", input.params.id);
  await checkMayDiscuss(input.tx, input.caller, document.knowledge_base_id);
  return document;
}

/** Keeps a proposal for people to decide. The body does not change. */
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
  const news = { workspaceId, document, doer: authorOf(row), excerpt: note, suggestionId: row.id };
  await notify(input.app, tx, news, [{ reason: "suggestion", userIds: await followersOf(tx, document) }]);
  return row;
}

/** Whether this write is to become a suggestion. */
export const isSuggesting = ({ caller, query }: Pick<Proposing, "caller" | "query">): boolean =>
  isSuggestion(caller, query);

interface SuggestedEdit extends Pick<BodyChange, "edit" | "needsExpected"> {
  /** The whole body that was sent, if one was. */
  readonly content?: SentContent;
}

/** Keeps an edit of the current body as a suggestion instead of making it; answers 202, or 200 when it changes nothing. */
export async function suggestEdit(input: Proposing, { edit, needsExpected, content }: SuggestedEdit): Promise<Answer> {
  const { tx, caller, params, ifMatch, query } = input;
  const document = await lockForProposal(input);
  const base = await readBody(tx, { workspaceId: caller.workspaceId, documentId: params.id });
  checkExpected(needsExpected ? requireExpected(ifMatch) : ifMatch, base.version);
  const blocks = await edit(base);
  const changes = proposedChanges(base.blocks, blocks);
  const warnings = content ? leftOut(content, document) : [];
  const told = {
    version: base.version,
    changed_block_ids: proposedIds(base, blocks),
    ...(warnings.length > 0 && { warnings }),
  };
  if (changes.length === 0) return ok(told, { etag: base.version });
  const { id } = await propose(input, document, { base, changes, note: "" });
  if (isRecord(query) && query.dry_run) throw new DryRun(accepted({ suggestion_id: null, ...told }));
  return accepted({ suggestion_id: id, ...told });
}

const proposedIds = (before: StoredBody, blocks: readonly Node[]): string[] =>
  changedIds({ changes: diffPlaces(before.blocks, blocks), before, after: { blocks } });
