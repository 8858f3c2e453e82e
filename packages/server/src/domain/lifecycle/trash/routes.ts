import { Type } from "typebox";
import { apiError } from "../../../errors.ts";
import { actorOf } from "../../../events/actor.ts";
import { ok } from "../../../http/answer.ts";
import { post, type Route, read } from "../../../http/route.ts";
import { cursor, integerId, limit, named, object, oneOf, time } from "../../../http/schemas.ts";
import { listPage } from "./list-page.ts";
import { getTrash } from "./queries.ts";
import { restore, restoreInSteps } from "./restore.ts";

const tag = "Trash";

const TrashEntry = named(
  "TrashEntry",
  object({
    id: Type.String(),
    kind: oneOf(["document", "folder"]),
    item_id: Type.String({ description: "Id that the document or folder had, and will have again." }),
    name: Type.String(),
    knowledge_base_id: integerId(),
    document_count: Type.Integer(),
    ended_links: Type.Integer({ description: "Public links that ended with it, and do not come back." }),
    deleted_by: Type.String(),
    deleted_at: time(),
    expires_at: time(),
  }),
);

const Restored = named(
  "Restored",
  object({
    id: Type.String(),
    restored: Type.Literal(true),
    kind: oneOf(["document", "folder"]),
    document_ids: Type.Array(Type.String()),
    folder_ids: Type.Array(integerId()),
    ended_links: Type.Integer({
      description: "Public links that it had before: they opened nothing since, and stay ended.",
    }),
  }),
);

const example = {
  id: "trash_01K9ZQ4T6N4Y3V7J8W2M5R1XCK",
  kind: "document",
  item_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
  name: "Getting started",
  knowledge_base_id: 7,
  document_count: 1,
  ended_links: 0,
  deleted_by: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD",
  deleted_at: 1794700000000,
  expires_at: 1797292000000,
};

export const trashRoutes: Route[] = [
  read({
    operation: "list_trash",
    path: "/trash",
    tag,
    summary: "Deleted documents and folders that can be restored, newest first.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "trash" },
    query: object({ limit: limit(), cursor: cursor() }),
    success: { status: 200, description: "A page of them.", data: TrashEntry, list: true, example },
    handler: ({ app, caller, db, query }) => listPage(app, db, caller.workspaceId, query),
  }),
  post({
    operation: "restore_from_trash",
    path: "/trash/{id}/restore",
    tag,
    summary: "Put a deleted document or folder back, with the same ids.",
    description:
      "It returns to where it was, or to the top level of its knowledge base if its folder is gone. Public links ended with the deletion; new ones are other links. A folder also needs `knowledge-bases:write`.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "trash" },
    params: Type.Object({ id: Type.String() }),
    errors: ["quota_exceeded"],
    success: {
      status: 200,
      description: "What came back.",
      data: Restored,
      example: {
        id: example.id,
        restored: true,
        kind: "document",
        document_ids: [example.item_id],
        folder_ids: [],
        ended_links: 0,
      },
    },
    prepare: async (input) => {
      const { app, caller, db, params } = input;
      const { kind } = await getTrash(db, caller.workspaceId, params.id, Date.now());
      if (kind === "folder" && !caller.scopes.includes("knowledge-bases:write"))
        throw apiError("insufficient_scope", { required_scopes: ["documents:write", "knowledge-bases:write"] });
      const restoration = { workspaceId: caller.workspaceId, id: params.id, actor: actorOf(input) };
      return { kind, restoration, done: await restoreInSteps(app, restoration) };
    },
    handler: async ({ app, tx, params, prepared: { kind, restoration, done } }) => {
      const rest = await restore(app, tx, restoration);
      return ok({
        id: params.id,
        restored: true,
        kind,
        document_ids: [...done.documentIds, ...rest.documentIds],
        folder_ids: [...done.folderIds, ...rest.folderIds],
        ended_links: rest.endedLinks,
      });
    },
  }),
];
