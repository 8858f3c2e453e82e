import { merge3 } from "@svc/document/merge3";
import type { Node } from "@svc/document/types";
import { api } from "../../islands/common/api.ts";
import { keep, readKept, removeKept } from "../../live-page/kept.ts";

/** A suggestion that is being written: the text it began with, and what has become of it. */
export interface Draft {
  readonly version: string;
  readonly base: readonly Node[];
  readonly blocks: readonly Node[];
  readonly note: string;
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

/** The same wishes for the page as it is now. Where others changed a block too, the suggested words stand against theirs. */
export async function rebased(documentId: string, draft: Draft): Promise<Draft> {
  const now = await newDraft(documentId);
  const { blocks } = merge3(draft.base, now.base, draft.blocks, {
    mergeBlock: (_base, _theirs, mine) => mine,
    revive: (mine) => mine,
  });
  return { ...now, blocks, note: draft.note };
}

export const sendDraft = (documentId: string, { version, blocks, note }: Draft) =>
  api.post("/documents/{id}/suggestions", {
    path: { id: documentId },
    body: {
      base_version: version,
      content: { format: "tiptap-json", document: { type: "doc", content: blocks } },
      ...(note.trim() && { note: note.trim() }),
    },
  });
