import { defined } from "@svc/document/defined";
import { applyChanges } from "@svc/document/suggest/apply";
import { isUndone } from "@svc/document/suggest/changes";
import { changeBody } from "../../../bodies/change-body.ts";
import { readBody } from "../../../bodies/load-body.ts";
import type { Tx } from "../../../db/database.ts";
import type { SuggestionRow, SuggestionStatus } from "../../../db/schema/tables/discussion.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { apiError, notFound } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { checkExpected, type Expected, requireExpected } from "../../../http/preconditions.ts";
import { notify } from "../../../notify/notify.ts";
import { reaches, roleIn } from "../../../rights/rights.ts";
import type { Services } from "../../../services.ts";
import { readChanges, type StoredChange } from "../../content/proposals/stored-change.ts";
import { authorColumns, authorOf } from "../../identity/authors/author.ts";
import { lockDocument } from "../../library/documents/queries.ts";
import { checkMayDiscuss } from "../../library/knowledge-bases/may-discuss.ts";
import { fittingBlocks } from "./fitting-blocks.ts";
import { getSuggestion, suggestionVersion, updateSuggestion } from "./queries.ts";
import { checkNamedOnce, type Wording, withWording } from "./wordings.ts";

/** The person who decides, and the transaction. */
export interface Decision {
  readonly app: Services;
  readonly tx: Tx;
  readonly caller: Caller;
  readonly actor: Actor;
  readonly expected: Expected | undefined;
  readonly changeIds: readonly string[] | undefined;
}

/** Applies the chosen changes to the current body as one version. */
export async function acceptSuggestion(
  decision: Decision,
  id: string,
  wordings: readonly Wording[],
): Promise<SuggestionRow> {
  const { app, tx, caller, actor } = decision;
  checkNamedOnce(wordings);
  const { document_id, ...first } = await getSuggestion(tx, caller.workspaceId, id);
  let decided: { readonly row: SuggestionRow; readonly applied: ReadonlySet<string> } | undefined;
  await changeBody(app, tx, {
    key: { workspaceId: caller.workspaceId, documentId: document_id },
    reason: "suggestion",
    actor,
    expected: "*",
    // From here on, the body is locked, and with it every decision about its suggestions.
    edit: async (current) => {
      const row = await getUndecided(decision, id);
      const chosen = chosenChanges(row, decision.changeIds, wordings);
      const rules = { maxCharacters: app.config.maxDocumentCharacters, documentType: current.documentType };
      const wanted = chosen.map((change) => withWording(change, wordings, rules));
      const { blocks, applied, conflicts } = applyChanges(current.blocks, wanted);
      if (applied.length === 0) throw apiError("suggestion_conflict", { change_ids: conflicts });
      decided = { row, applied: new Set(applied) };
      return fittingBlocks(current.blocks, blocks, wanted, rules);
    },
    suggestedBy: authorOf(first),
  });
  const { row, applied } = defined(decided);
  return storeDecision(decision, row, (change) => (applied.has(change.id) ? "accepted" : change.state));
}

/** Rejects the chosen changes; the body does not change. */
export async function rejectSuggestion(
  decision: Decision,
  id: string,
  reason: string | undefined,
): Promise<SuggestionRow> {
  const { tx, caller, changeIds } = decision;
  const { document_id } = await getSuggestion(tx, caller.workspaceId, id);
  await lockDocument(tx, caller.workspaceId, document_id);
  const row = await getUndecided(decision, id);
  const rejected = new Set(chosenChanges(row, changeIds, []).map((change) => change.id));
  return storeDecision(decision, row, (change) => (rejected.has(change.id) ? "rejected" : change.state), reason);
}

/**
 * Reverts rejections, or a withdrawal by its author: the changes are open again. So are accepted changes that the body
 * no longer has, because somebody undid them; other accepted changes stay.
 */
export async function reopenSuggestion(decision: Decision, id: string): Promise<SuggestionRow> {
  const { tx, caller, expected } = decision;
  const { document_id } = await getSuggestion(tx, caller.workspaceId, id);
  const document = await lockDocument(tx, caller.workspaceId, document_id);
  const row = await getSuggestion(tx, caller.workspaceId, id);
  await checkMayReopen(decision, document, row);
  const version = requireExpected(expected);
  const isWithdrawn = row.status === "withdrawn";
  const changes = readChanges(row.changes);
  const undone = isWithdrawn ? new Set() : await undoneChanges(decision, document_id, changes);
  const isOpened = ({ id, state }: StoredChange) => !isWithdrawn && (state === "rejected" || undone.has(id));
  if (!isWithdrawn && !changes.some(isOpened))
    throw apiError("suggestion_decided", {
      status: row.status,
      hint: "Only rejected, withdrawn or undone changes can be opened again.",
    });
  checkExpected(version, suggestionVersion(row));
  const opened = changes.map((change) => (isOpened(change) ? { ...change, state: "open" as const } : change));
  const changed = await updateSuggestion(tx, row, {
    changes: JSON.stringify(opened),
    status: "open",
    decision_reason: null,
    decided_at: null,
    decided_by: null,
  });
  appendSuggestionEvent(decision, document, changed);
  return changed;
}

/** The accepted changes that are no longer part of the body, because their blocks are as they were before. */
async function undoneChanges(
  { tx, caller: { workspaceId } }: Decision,
  documentId: string,
  changes: readonly StoredChange[],
): Promise<ReadonlySet<string>> {
  const accepted = changes.filter(({ state }) => state === "accepted");
  if (accepted.length === 0) return new Set();
  const { blocks } = await readBody(tx, { workspaceId, documentId });
  return new Set(accepted.filter((change) => isUndone(blocks, change)).map(({ id }) => id));
}

/** A withdrawal can be reverted by its author, who may only suggest; a rejection by anyone who may decide. */
async function checkMayReopen({ tx, caller }: Decision, document: DocumentRow, row: SuggestionRow): Promise<void> {
  if (row.status === "withdrawn") {
    checkAuthor(caller, row);
    return checkMayDiscuss(tx, caller, document.knowledge_base_id);
  }
  if (!caller.scopes.includes("documents:write"))
    throw apiError("insufficient_scope", { required_scopes: ["documents:write"] });
  const role = roleIn(caller, document.knowledge_base_id);
  if (!reaches(role, "editor"))
    throw apiError("insufficient_role", {
      role,
      hint: "Who may decide takes a rejection back, its author a withdrawal.",
    });
}

function checkAuthor(caller: Caller, row: SuggestionRow): void {
  if (row.user_id !== caller.userId)
    throw apiError("insufficient_role", { role: caller.role, hint: "Only its author takes a suggestion back." });
}

/** The author withdraws an open suggestion. */
export async function withdrawSuggestion(decision: Omit<Decision, "expected" | "changeIds">, id: string) {
  const { tx, caller } = decision;
  const { document_id } = await getSuggestion(tx, caller.workspaceId, id);
  const document = await lockDocument(tx, caller.workspaceId, document_id);
  const row = await getSuggestion(tx, caller.workspaceId, id);
  checkAuthor(caller, row);
  checkOpen(row);
  const changed = await updateSuggestion(tx, row, {
    status: "withdrawn",
    decided_at: Date.now(),
    decided_by: caller.userId,
  });
  appendSuggestionEvent(decision, document, changed);
  return changed;
}

function checkOpen(row: SuggestionRow): void {
  if (row.status !== "open") throw apiError("suggestion_decided", { status: row.status });
}

/** Reads the suggestion with its document locked; throws if nothing is left to decide. */
async function getUndecided({ tx, caller, expected }: Decision, id: string): Promise<SuggestionRow> {
  const row = await getSuggestion(tx, caller.workspaceId, id);
  const version = requireExpected(expected);
  checkOpen(row);
  checkExpected(version, suggestionVersion(row));
  return row;
}

/** The changes that a decision concerns, in their order. */
function chosenChanges(
  row: SuggestionRow,
  ids: readonly string[] | undefined,
  wordings: readonly Wording[],
): readonly StoredChange[] {
  const changes = readChanges(row.changes);
  const named = [...(ids ?? []), ...wordings.map(({ change_id }) => change_id)];
  const unknown = named.find((id) => !changes.some((change) => change.id === id));
  if (unknown !== undefined) throw notFound("change", unknown);
  const decided = named.find((id) => changes.some((change) => change.id === id && change.state !== "open"));
  if (decided !== undefined) throw apiError("suggestion_decided", { change_id: decided });
  return changes.filter(({ id, state }) => state === "open" && (ids === undefined || named.includes(id)));
}

/** Stores the decision; the last one closes the suggestion. */
async function storeDecision(
  decision: Decision,
  row: SuggestionRow,
  stateOf: (change: StoredChange) => StoredChange["state"],
  reason?: string,
): Promise<SuggestionRow> {
  const { tx, caller } = decision;
  const changes = readChanges(row.changes).map((change) => ({ ...change, state: stateOf(change) }));
  const status = statusFor(changes);
  const changed = await updateSuggestion(tx, row, {
    changes: JSON.stringify(changes),
    status,
    ...(reason !== undefined && { decision_reason: reason }),
    ...(status !== "open" && { decided_at: Date.now(), decided_by: caller.userId }),
  });
  const document = await lockDocument(tx, caller.workspaceId, row.document_id);
  appendSuggestionEvent(decision, document, changed);
  const actor = authorOf(authorColumns(caller, decision.actor));
  const news = { workspaceId: row.workspace_id, document, actor, excerpt: reason ?? row.note, suggestionId: row.id };
  await notify(decision.app, tx, news, [{ reason: "decision", userIds: [row.user_id] }]);
  return changed;
}

function statusFor(changes: readonly StoredChange[]): SuggestionStatus {
  const states = new Set(changes.map(({ state }) => state));
  if (states.has("open")) return "open";
  if (states.size > 1) return "partly_accepted";
  return states.has("accepted") ? "accepted" : "rejected";
}

function appendSuggestionEvent(
  { tx, actor }: Pick<Decision, "tx" | "actor">,
  document: DocumentRow,
  row: SuggestionRow,
): void {
  ledgerOf(tx, row.workspace_id).event("suggestion.decided", document, actor, {
    suggestion: { id: row.id, status: row.status },
  });
}
