import { Type } from "typebox";
import type { WatchRow } from "../../../db/schema/tables/discussion.ts";
import { invalidRequest } from "../../../errors.ts";
import { ok } from "../../../http/answer.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { patch, post, put, type Route, read, remove } from "../../../http/route.ts";
import { cursor, limit, named, nullable, object, oneOf, time } from "../../../http/schemas.ts";
import { deleteWatch, findWatch, insertWatch, listUnread, markRead } from "../../../notify/queries.ts";
import { reasons } from "../../../notify/settings.ts";
import { Author, exampleAuthor } from "../../identity/authors/author.ts";
import { changeSettings, readSettings } from "./change-settings.ts";
import { listPage } from "./list-page.ts";
import { exampleSettings, Settings, SettingsChange } from "./settings-schema.ts";
import { keepWatched, watched, watchParams } from "./targets.ts";
import { beginPosition } from "./watch-news.ts";

const tag = "Notifications";
const Notification = named(
  "Notification",
  object({
    id: Type.String(),
    reason: oneOf(reasons),
    document_id: nullable(Type.String({ description: "null for `share`, `invitation` and `security`." })),
    document_title: nullable(Type.String()),
    knowledge_base_id: nullable(Type.Integer()),
    knowledge_base_name: nullable(Type.String()),
    comment_id: nullable(Type.String()),
    suggestion_id: nullable(Type.String()),
    actor: Author,
    excerpt: Type.String(),
    created_at: time(),
    read_at: nullable(time()),
  }),
);

const exampleNotification = {
  id: "ntf_01K9ZQ4T6N4Y3V7J8W2M5R1XCC",
  reason: "reply",
  document_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
  document_title: "Handbook",
  knowledge_base_id: 7,
  knowledge_base_name: "Team",
  comment_id: "com_01K9ZQ4T6N4Y3V7J8W2M5R1XCA",
  suggestion_id: null,
  actor: exampleAuthor,
  excerpt: "Is this still so?",
  created_at: 1794700000000,
  read_at: null,
} as const;

const personOf = (caller: Caller) => ({ workspace_id: caller.workspaceId, user_id: caller.userId });

const ReadBody = object(
  {
    ids: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 })),
    before: Type.Optional({ ...time(), description: "All that came up to this time, in milliseconds." }),
  },
  { description: "Exactly one of the two." },
);

const Watch = object({ watching: Type.Boolean(), since: nullable(time()) });
const watchSuccess = (description: string) => ({
  status: 200,
  description,
  data: Watch,
  example: { watching: true, since: 1794700000000 },
});

/** The three routes for watching one kind of subject. */
function watchRoutes(kind: WatchRow["kind"], path: string, scope: "documents" | "knowledge-bases"): Route[] {
  const params = watchParams[kind];
  const name = kind === "knowledge_base" ? "knowledge base" : kind;
  const targetOf = (caller: Caller, id: string | number) => {
    const document_id = kind === "document" ? String(id) : null;
    return { workspace_id: caller.workspaceId, kind, target_id: String(id), document_id };
  };
  return [
    read({
      operation: `get_${kind}_watch`,
      path,
      tag,
      summary: `Whether you watch this ${name}.`,
      scopes: [`${scope}:read`],
      access: { action: "read", subject: kind },
      params,
      success: watchSuccess("Whether, and since when."),
      handler: async ({ caller, db, params }) => {
        await watched(db, caller, kind, params.id);
        const row = await findWatch(db, targetOf(caller, params.id), caller.userId);
        return ok({ watching: row !== undefined, since: row?.created_at ?? null });
      },
    }),
    put({
      operation: `watch_${kind}`,
      path,
      tag,
      summary: `Hear of changes, comments and suggestions on this ${name}${kind === "document" ? "" : " and all that is in it"}.`,
      scopes: [`${scope}:write`],
      access: { action: "personal", subject: kind },
      params,
      success: watchSuccess("You watch it."),
      handler: async ({ caller, tx, params }) => {
        await keepWatched(tx, caller, kind, params.id);
        const target = targetOf(caller, params.id);
        await beginPosition(tx, caller.workspaceId);
        await insertWatch(tx, { ...target, user_id: caller.userId, created_at: Date.now() });
        const row = await findWatch(tx, target, caller.userId);
        return ok({ watching: true, since: row?.created_at ?? null });
      },
    }),
    remove({
      operation: `unwatch_${kind}`,
      path,
      tag,
      summary: `Watch this ${name} no longer.`,
      scopes: [`${scope}:write`],
      access: { action: "personal", subject: kind },
      params,
      success: { ...watchSuccess("You do not watch it."), example: { watching: false, since: null } },
      handler: async ({ caller, tx, params }) => {
        await watched(tx, caller, kind, params.id);
        await deleteWatch(tx, targetOf(caller, params.id), caller.userId);
        return ok({ watching: false, since: null });
      },
    }),
  ];
}

export const notificationRoutes: Route[] = [
  read({
    operation: "list_notifications",
    path: "/notifications",
    tag,
    summary: "Your notifications: unread first, then newest first.",
    description: "Your own in this workspace, whatever the token's scopes.",
    scopes: [],
    access: { action: "read", subject: "workspace" },
    query: object({
      unread: Type.Optional(Type.Boolean({ description: "Only those that are unread." })),
      limit: limit(),
      cursor: cursor(),
    }),
    success: {
      status: 200,
      description: "A page of them.",
      data: Notification,
      list: true,
      example: exampleNotification,
    },
    handler: ({ app, caller, db, query }) => listPage(app, db, personOf(caller), query),
  }),
  post({
    operation: "read_notifications",
    path: "/notifications/read",
    tag,
    summary: "Mark notifications as read.",
    scopes: [],
    access: { action: "personal", subject: "workspace" },
    body: ReadBody,
    bodyExample: { before: 1794700000000 },
    errors: ["not_found"],
    success: {
      status: 200,
      description: "How many were unread.",
      data: object({ read: Type.Integer() }),
      example: { read: 3 },
    },
    // The request's reader sees what its caller may see; a transaction would see everything.
    prepare: async ({ caller, db, body }) => {
      if ((body.ids === undefined) === (body.before === undefined))
        throw invalidRequest("body", "must have exactly one of ids, before");
      return listUnread(db, personOf(caller), body);
    },
    handler: async ({ caller, tx, prepared }) =>
      ok({ read: await markRead(tx, personOf(caller), prepared, Date.now()) }),
  }),
  read({
    operation: "get_notification_settings",
    path: "/notifications/settings",
    tag,
    summary: "Your notification settings in this workspace.",
    scopes: [],
    access: { action: "read", subject: "workspace" },
    success: { status: 200, description: "By kind.", data: Settings, example: exampleSettings },
    handler: async ({ app, caller, db }) => ok(await readSettings(app, db, personOf(caller))),
  }),
  patch({
    operation: "change_notification_settings",
    path: "/notifications/settings",
    tag,
    summary: "Change your notification settings.",
    description: "What is not named stays as it is.",
    scopes: [],
    access: { action: "personal", subject: "workspace" },
    body: SettingsChange,
    bodyExample: { kinds: { comment: { email: "daily" } } },
    success: { status: 200, description: "All of them, as they are now.", data: Settings, example: exampleSettings },
    handler: async ({ app, caller, tx, body }) => {
      await changeSettings(app, tx, personOf(caller), body);
      return ok(await readSettings(app, tx, personOf(caller)));
    },
  }),
  ...watchRoutes("document", "/documents/{id}/watch", "documents"),
  ...watchRoutes("folder", "/folders/{id}/watch", "knowledge-bases"),
  ...watchRoutes("knowledge_base", "/knowledge-bases/{id}/watch", "knowledge-bases"),
];
