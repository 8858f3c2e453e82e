import { sameJson } from "@svc/document/canonical";
import { merge3 } from "@svc/document/merge3";
import type { Node } from "@svc/document/types";
import { mergeBlock } from "@svc/live/merge-block";
import { api } from "../../islands/common/api.ts";
import { keep, readKept, removeKept } from "../../live-page/kept.ts";
import { newUlid } from "../../live-page/new-id.ts";

/** A suggestion that is being written: the text it began with, and what has become of it. */
interface Draft {
  readonly version: string;
  readonly base: readonly Node[];
  readonly blocks: readonly Node[];
  readonly note: string;
  /** Once it was sent, and as long as it is the same: sent again without an answer to the first time, it is made once. */
  readonly key?: string | undefined;
}

const keyOf = (userId: string, documentId: string): string => `suggest:${userId}:${documentId}`;

export const readDraft = (userId: string, documentId: string) => readKept<Draft>(keyOf(userId, documentId));
export const keepDraft = (userId: string, documentId: string, draft: Draft) => keep(keyOf(userId, documentId), draft);
export const removeDraft = (userId: string, documentId: string) => removeKept(keyOf(userId, documentId));

/** The page as it is now, with what others are typing in it, and nothing suggested yet. */
export async function newDraft(documentId: string): Promise<Draft> {
  const { data } = await api.get("/documents/{id}/content", { path: { id: documentId }, query: { live: true } });
  const content = data.document?.content ?? [];
  return { version: data.version, base: content, blocks: content, note: "" };
}

export const withKey = (draft: Draft): Draft => ({ ...draft, key: draft.key ?? newUlid() });

/** The draft with what is written now. */
export function changedTo(draft: Draft, blocks: readonly Node[], note: string): Draft {
  const isSame = draft.note === note && sameJson(draft.blocks, blocks);
  return { ...draft, blocks, note, key: isSame ? draft.key : undefined };
}

/** The same wishes for the page as it is now. Where others changed a block too, it keeps their words. */
export async function rebased(documentId: string, draft: Draft): Promise<Draft> {
  const now = await newDraft(documentId);
  const { blocks } = merge3(draft.base, now.base, draft.blocks, { mergeBlock, revive: (mine) => mine });
  return { ...now, blocks, note: draft.note };
}

export const sendDraft = (documentId: string, { version, blocks, note, key }: Draft) =>
  api.post("/documents/{id}/suggestions", {
    path: { id: documentId },
    idempotencyKey: key,
    body: {
      base_version: version,
      content: { format: "tiptap-json", document: { type: "doc", content: blocks } },
      ...(note.trim() && { note: note.trim() }),
    },
  });
