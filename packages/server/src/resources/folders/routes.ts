import { Type } from "typebox";
import { actorOf } from "../../events/actor.ts";
import { created, deleted, ok } from "../../http/answer.ts";
import { pageOf } from "../../http/page.ts";
import { patch, post, type Route, read, remove } from "../../http/route.ts";
import { cursor, deletedSchema, object } from "../../http/schemas.ts";
import { DocumentItem, FolderItem } from "../knowledge-bases/schema.ts";
import { changeFolder } from "./change-folder.ts";
import { createFolder } from "./create-folder.ts";
import { deleteFolder, emptyFolder } from "./delete-folder.ts";
import { childrenAfter, listChildren, placeOf } from "./list-children.ts";
import { type Folder as FolderRow, getFolder } from "./queries.ts";
import { exampleFolder, Folder, FolderChange, FolderParams, NewFolder } from "./schema.ts";

const tag = "Folders";
const folderOf = ({ workspace_id: _, ...row }: FolderRow) => row;

export const folderRoutes: Route[] = [
  post({
    operation: "create_folder",
    path: "/folders",
    tag,
    summary: "Make a folder.",
    scopes: ["knowledge-bases:write"],
    body: NewFolder,
    bodyExample: { name: "Guides", knowledge_base_id: 7, parent_id: null },
    errors: ["not_found", "quota_exceeded"],
    success: { status: 201, description: "The new folder.", data: Folder, example: exampleFolder },
    handler: async ({ app, caller, tx, body }) =>
      created(
        folderOf(
          await createFolder(app, tx, {
            workspaceId: caller.workspaceId,
            name: body.name,
            knowledgeBaseId: body.knowledge_base_id,
            parentId: body.parent_id ?? null,
          }),
        ),
      ),
  }),
  read({
    operation: "get_folder",
    path: "/folders/{id}",
    tag,
    summary: "One folder.",
    scopes: ["knowledge-bases:read"],
    params: FolderParams,
    success: { status: 200, description: "It.", data: Folder, example: exampleFolder },
    handler: async ({ caller, db, params }) => ok(folderOf(await getFolder(db, caller.workspaceId, params.id))),
  }),
  patch({
    operation: "change_folder",
    path: "/folders/{id}",
    tag,
    summary: "Rename or move a folder.",
    description: "A field left out stays as it is. Moving to another knowledge base takes the contents along.",
    scopes: ["knowledge-bases:write"],
    params: FolderParams,
    body: FolderChange,
    bodyExample: { name: "How-to guides" },
    errors: ["folder_cycle"],
    success: { status: 200, description: "It, changed.", data: Folder, example: exampleFolder },
    handler: async (input) => {
      const { app, caller, tx, params, body } = input;
      const change = { name: body.name, knowledgeBaseId: body.knowledge_base_id, parentId: body.parent_id };
      const { workspaceId } = caller;
      return ok(folderOf(await changeFolder(app, tx, { workspaceId, id: params.id, change, actor: actorOf(input) })));
    },
  }),
  remove({
    operation: "delete_folder",
    path: "/folders/{id}",
    tag,
    summary: "Delete a folder with all it holds.",
    description: "It can be restored from the trash while that keeps it.",
    scopes: ["knowledge-bases:write"],
    params: FolderParams,
    errors: ["localization_has_targets"],
    success: { status: 200, description: "It is gone.", data: deletedSchema(), example: { id: 3, deleted: true } },
    prepare: (input) =>
      emptyFolder(input.app, {
        workspaceId: input.caller.workspaceId,
        id: input.params.id,
        actor: actorOf(input),
      }),
    handler: async ({ app, tx, params, prepared }) => {
      await deleteFolder(app, tx, prepared);
      return deleted(params.id);
    },
  }),
  read({
    operation: "list_folder_children",
    path: "/folders/{id}/children",
    tag,
    summary: "What a folder holds itself: folders first, each by name or title.",
    description: "Whole, unless `limit` asks for pages.",
    scopes: ["knowledge-bases:read", "documents:read"],
    params: FolderParams,
    query: object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })), cursor: cursor() }),
    success: {
      status: 200,
      description: "In natural order.",
      data: Type.Union([FolderItem, DocumentItem]),
      list: true,
      example: { type: "folder", id: 4, name: "Drafts", parent_id: 3, has_children: false },
    },
    handler: async ({ app, caller, db, params, query }) => {
      const children = await listChildren(db, caller.workspaceId, params.id);
      const limit = query.limit ?? Number.POSITIVE_INFINITY;
      return pageOf(
        app.secret,
        ["children", params.id],
        { ...query, limit },
        {
          fetch: async (after, size) => childrenAfter(children, after).slice(0, size),
          keyOf: placeOf,
          represent: (child) => child,
        },
      );
    },
  }),
];
