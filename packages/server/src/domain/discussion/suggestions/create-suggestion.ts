import { proposedChanges } from "@svc/document/suggest/changes";
import type { Node } from "@svc/document/types";
import type { StoredBody } from "../../../bodies/body.ts";
import { BodyOperations } from "../../../bodies/operations/body-operations.ts";
import type { SentContent } from "../../../bodies/parsing/parse-blocks.ts";
import { parseProposed } from "../../../bodies/parsing/parse-content.ts";
import type { Reader } from "../../../db/database.ts";
import type { SuggestionRow } from "../../../db/schema/tables/discussion.ts";
import { apiError, invalidRequest } from "../../../errors.ts";
import { parseIfMatch } from "../../../http/preconditions.ts";
import type { Input } from "../../../http/route.ts";
import { type LeftOutWarning, leftOut } from "../../content/proposals/left-out.ts";
import { lockForProposal, type Proposing, propose } from "../../content/proposals/propose.ts";
import { loadBase } from "../../content/versions/base-body.ts";

type SentSuggestion = { readonly base_version?: string; readonly note?: string } & (
  | { readonly operations: readonly unknown[] }
  | { readonly content: SentContent }
);

interface NewSuggestion {
  readonly row: SuggestionRow;
  readonly warnings: readonly LeftOutWarning[];
}

/** Works out the blocks that are proposed over a version. */
type ProposedBlocks = (base: StoredBody) => Promise<readonly Node[]>;

type Preparing = Input<{ readonly id: string }, unknown, unknown> & { readonly db: Reader };

/** Reads what takes long to read before the transaction begins. */
export async function prepareProposal(input: Preparing, sent: SentSuggestion): Promise<ProposedBlocks> {
  const { app, db, caller, params } = input;
  const version = parseIfMatch(sent.base_version);
  const key = { workspaceId: caller.workspaceId, documentId: params.id };
  const load = () => loadBase(db, key, version ?? "*", app.config.versionRetention);
  if ("content" in sent) return parseProposed(sent.content, app.config, load);
  const operations = new BodyOperations(sent.operations, app.config);
  if (version !== undefined) await operations.applyAhead(load);
  return async (base) => (await operations.apply(base)).body.content;
}

/** Keeps what somebody proposes to make of a version that is current or still kept. */
export async function createSuggestion(
  input: Proposing,
  sent: SentSuggestion,
  blocksOver: ProposedBlocks,
): Promise<NewSuggestion> {
  const { app, tx, caller, params } = input;
  const document = await lockForProposal(input);
  const version = parseIfMatch(sent.base_version);
  if (version === undefined) throw apiError("precondition_required", { field: "base_version" });
  const key = { workspaceId: caller.workspaceId, documentId: params.id };
  const base = await loadBase(tx, key, version, app.config.versionRetention);
  const changes = proposedChanges(base.blocks, await blocksOver(base));
  if (changes.length === 0) throw invalidRequest("body", "proposes no change of that version");
  const row = await propose(input, document, { base, changes, note: sent.note ?? "" });
  return { row, warnings: "content" in sent ? leftOut(sent.content, document) : [] };
}
