import { applyBatch, type BatchOperation, parseOperations } from "@svc/document/blocks/batch";
import { proposedChanges } from "@svc/document/suggest/changes";
import type { Node } from "@svc/document/types";
import type { StoredBody } from "../../bodies/body.ts";
import type { SuggestionRow } from "../../db/schema/tables/discussion.ts";
import { apiError, invalidRequest } from "../../errors.ts";
import { parseIfMatch } from "../../http/preconditions.ts";
import { newBlockId } from "../../ids.ts";
import { parseBlocks, type SentContent } from "../content/parse-blocks.ts";
import { type LeftOutWarning, leftOut } from "../proposals/left-out.ts";
import { lockForProposal, type Proposing, propose } from "../proposals/propose.ts";
import { loadBase } from "../versions/base-body.ts";

type SentSuggestion = { readonly base_version?: string; readonly note?: string } & (
  | { readonly operations: readonly unknown[] }
  | { readonly content: SentContent }
);

interface NewSuggestion {
  readonly row: SuggestionRow;
  readonly warnings: readonly LeftOutWarning[];
}

/** Keeps what somebody proposes to make of a version that is current or still kept. */
export async function createSuggestion(input: Proposing, sent: SentSuggestion): Promise<NewSuggestion> {
  const { app, tx, caller, params } = input;
  const proposed = "content" in sent ? sent : { operations: parseOperations(sent.operations) };
  const document = await lockForProposal(input);
  const version = parseIfMatch(sent.base_version);
  if (version === undefined) throw apiError("precondition_required", { field: "base_version" });
  const key = { workspaceId: caller.workspaceId, documentId: params.id };
  const base = await loadBase(tx, key, version, app.config.versionRetention);
  const changes = proposedChanges(base.blocks, proposedBlocks(input, proposed, base));
  if (changes.length === 0) throw invalidRequest("body", "proposes no change of that version");
  const row = await propose(input, document, { base, changes, note: sent.note ?? "" });
  return { row, warnings: "content" in sent ? leftOut(sent.content, document) : [] };
}

type Proposed = { readonly operations: readonly BatchOperation[] } | { readonly content: SentContent };

function proposedBlocks({ app }: Proposing, proposed: Proposed, base: StoredBody): readonly Node[] {
  const { documentType } = base;
  const maxCharacters = app.config.maxDocumentCharacters;
  return "content" in proposed
    ? parseBlocks(proposed.content, base.blocks, { documentType, maxCharacters, matchIds: true })
    : applyBatch(base.body, proposed.operations, newBlockId, { maxCharacters, documentType }).body.content;
}
