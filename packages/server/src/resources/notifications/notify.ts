import type { Tx } from "../../db/database.ts";
import type { NotificationReason } from "../../db/schema/tables/discussion.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { newId } from "../../ids.ts";
import { listWhoSee } from "../../rights/who-sees.ts";
import { insertNotification, listFoldersAbove, listWatchers } from "./queries.ts";

/** What happened, and by whom: told to people who should know of it. */
export interface News {
  readonly document: DocumentRow;
  /** Who did it, as authors are told; they hear nothing of what they did themselves. */
  readonly actor: { readonly user_id: string };
  readonly excerpt: string;
  readonly commentId?: string;
  readonly suggestionId?: string;
}

/** People and why they are told; of several reasons for one person the first counts. */
export type Recipients = readonly { readonly reason: NotificationReason; readonly userIds: readonly string[] }[];

const EXCERPT_LENGTH = 200;

/** Tells each member who sees the document once, whatever the number of reasons; nobody hears of their own deeds. */
export async function notify(tx: Tx, news: News, recipients: Recipients): Promise<void> {
  const reasons = new Map<string, NotificationReason>();
  for (const { reason, userIds } of recipients)
    for (const id of userIds) if (id !== news.actor.user_id && !reasons.has(id)) reasons.set(id, reason);
  const { document } = news;
  const seeing = await listWhoSee(tx, document.workspace_id, document.knowledge_base_id, [...reasons.keys()]);
  for (const userId of seeing)
    await insertNotification(tx, {
      workspace_id: document.workspace_id,
      user_id: userId,
      id: newId("ntf"),
      reason: reasons.get(userId)!,
      document_id: document.id,
      comment_id: news.commentId ?? null,
      suggestion_id: news.suggestionId ?? null,
      actor: JSON.stringify(news.actor),
      excerpt: news.excerpt.slice(0, EXCERPT_LENGTH),
      created_at: Date.now(),
      read_at: null,
    });
}

/** Who wrote a document, and who watches it or a place that it is in. */
export async function followersOf(tx: Tx, document: DocumentRow): Promise<string[]> {
  const folders = await listFoldersAbove(tx, document.workspace_id, document.folder_id);
  const watchers = await listWatchers(tx, document.workspace_id, [
    { kind: "document", target_id: document.id },
    ...folders.map((id) => ({ kind: "folder" as const, target_id: String(id) })),
    { kind: "knowledge_base", target_id: String(document.knowledge_base_id) },
  ]);
  return [document.created_by, ...watchers];
}
