import { defined } from "@svc/document/defined";
import type { Tx } from "../db/database.ts";
import type { NotificationReason, NotificationRow } from "../db/schema/tables/discussion.ts";
import type { DocumentRow } from "../db/schema/tables/documents.ts";
import type { Actor } from "../events/actor.ts";
import { ledgerOf } from "../events/ledger.ts";
import { newId } from "../ids.ts";
import { insertJob } from "../jobs/queries.ts";
import type { Services } from "../services.ts";
import { insertNotification, listFoldersAbove, listSettings, listWatchers } from "./queries.ts";
import { listReaders } from "./readers.ts";
import { kindsOf } from "./settings.ts";

/** The author of an action, in the shape of the API. */
interface NewsActor {
  readonly type: "user" | "token";
  readonly id: string;
  readonly name: string;
  readonly agent: boolean;
  readonly user_id: string;
}

/** An event and its author: the content of notifications. */
interface News {
  readonly workspaceId: string;
  /** The document concerned; undefined for access to a knowledge base or to the workspace, and for an account. */
  readonly document?: DocumentRow | undefined;
  readonly knowledgeBaseId?: number | undefined;
  /** The author, who gets no notification of this action. */
  readonly actor: NewsActor;
  readonly excerpt: string;
  readonly commentId?: string;
  readonly suggestionId?: string;
}

/** The parts of the service that notifying needs. */
export type Notifying = Pick<Services, "mailer" | "wakeJobs">;

/** Recipients and their reasons; of several reasons for one person the first counts. */
type Recipients = readonly { readonly reason: NotificationReason; readonly userIds: readonly string[] }[];

export const NOTIFICATION_MAIL = "notification_mail";
export const NOTIFICATION_WEBHOOK = "notification_webhook";

const EXCERPT_LENGTH = 200;

/** Whole characters only: half of one cannot be stored. */
const excerptOf = (text: string): string =>
  text
    .slice(0, EXCERPT_LENGTH)
    .toWellFormed()
    .replace(/\ufffd$/, "");

/**
 * Notifies each person once, whatever the number of reasons, in the ways that they chose. Authors are not notified of
 * their own actions, except for changes to their account, which somebody else may have made.
 */
export async function notify(app: Notifying, tx: Tx, news: News, recipients: Recipients): Promise<void> {
  const why = new Map<string, NotificationReason>();
  for (const { reason, userIds } of recipients)
    for (const id of userIds)
      if ((reason === "security" || id !== news.actor.user_id) && !why.has(id)) why.set(id, reason);
  const { workspaceId } = news;
  const knowledgeBaseId = news.document?.knowledge_base_id ?? news.knowledgeBaseId ?? null;
  const readers = await listReaders(tx, { workspaceId, knowledgeBaseId }, [...why.keys()]);
  const settings = await listSettings(
    tx,
    workspaceId,
    readers.map(({ userId }) => userId),
  );
  for (const { userId } of readers)
    await notifyReader(app, tx, news, userId, defined(why.get(userId)), settings.get(userId));
}

type Settings = Awaited<ReturnType<typeof listSettings>> extends ReadonlyMap<string, infer Row> ? Row : never;

async function notifyReader(
  app: Notifying,
  tx: Tx,
  news: News,
  userId: string,
  reason: NotificationReason,
  settings: Settings | undefined,
): Promise<void> {
  const { page, email, webhook } = kindsOf(settings)[reason];
  const byMail = app.mailer ? email : "off";
  const byWebhook = webhook && settings?.webhook_url != null;
  if (!page && byMail === "off" && !byWebhook) return;
  const row = rowOf(news, userId, reason, page, byMail === "daily");
  await insertNotification(tx, row);
  if (page) ledgerOf(tx, news.workspaceId).notice(userId, news.document, actorOf(news.actor), { id: row.id, reason });
  if (byMail === "at_once") await queue(app, tx, NOTIFICATION_MAIL, row);
  if (byWebhook) await queue(app, tx, NOTIFICATION_WEBHOOK, row);
}

const queue = (app: Notifying, tx: Tx, kind: string, { workspace_id, user_id, id }: NotificationRow) =>
  insertJob(
    tx,
    { workspaceId: workspace_id, id: newId("mail"), kind, payload: { user_id, ids: [id] }, createdBy: user_id },
    app.wakeJobs,
  );

const actorOf = ({ type, id, user_id, agent }: NewsActor): Actor => ({
  userId: user_id,
  tokenId: type === "token" ? id : null,
  client: { name: null, version: null, agent },
});

const rowOf = (
  news: News,
  userId: string,
  reason: NotificationReason,
  inPage: boolean,
  inDigest: boolean,
): NotificationRow => ({
  workspace_id: news.workspaceId,
  user_id: userId,
  id: newId("ntf"),
  reason,
  document_id: news.document?.id ?? "",
  knowledge_base_id: news.document?.knowledge_base_id ?? news.knowledgeBaseId ?? null,
  comment_id: news.commentId ?? null,
  suggestion_id: news.suggestionId ?? null,
  actor: JSON.stringify(news.actor),
  excerpt: excerptOf(news.excerpt),
  created_at: Date.now(),
  read_at: null,
  in_page: inPage ? 1 : 0,
  digest: inDigest ? 1 : 0,
});

/** The creator of a document and the people who watch it or one of its folders or its knowledge base. */
export async function followersOf(tx: Tx, document: DocumentRow): Promise<string[]> {
  return [document.created_by, ...(await watchersOf(tx, document))];
}

/** The people who watch a document, one of its folders or its knowledge base. */
export async function watchersOf(tx: Tx, document: DocumentRow): Promise<string[]> {
  const folders = await listFoldersAbove(tx, document.workspace_id, document.folder_id);
  return listWatchers(tx, document.workspace_id, [
    { kind: "document", target_id: document.id },
    ...folders.map((id) => ({ kind: "folder" as const, target_id: String(id) })),
    { kind: "knowledge_base", target_id: String(document.knowledge_base_id) },
  ]);
}
