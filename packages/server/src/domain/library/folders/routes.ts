import { actorOf } from "../../../events/actor.ts";
import { created, ok } from "../../../http/answer.ts";
import { patch, post, type Route, read } from "../../../http/route.ts";
import { shownTo } from "../../../rights/shown-to.ts";
import { changeFolder } from "./change-folder.ts";
import { createFolder } from "./create-folder.ts";
import { describeFolder } from "./index-page.ts";
import { getFolder } from "./queries.ts";
import { exampleFolder, Folder, FolderChange, FolderParams, NewFolder } from "./schema.ts";

const tag = "Folders";

export const folderRoutes: Route[] = [
  post({
    operation: "create_folder",
    path: "/folders",
    tag,
    summary: "Make a folder.",
    scopes: ["knowledge-bases:write"],
    access: {
      action: "create",
      subject: "folder",
      writes: { knowledge_base_id: "knowledge_base", parent_id: "folder" },
    },
    body: NewFolder,
    bodyExample: { name: "Guides", knowledge_base_id: 7, parent_id: null },
    errors: ["not_found", "quota_exceeded"],
    success: { status: 201, description: "The new folder.", data: Folder, example: exampleFolder },
    handler: async ({ app, caller, tx, body }) =>
      created(
        await describeFolder(
          tx,
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
    access: { action: "read", subject: "folder" },
    params: FolderParams,
    success: { status: 200, description: "It.", data: Folder, example: exampleFolder },
    handler: async ({ caller, db, params }) =>
      ok(await describeFolder(db, await getFolder(db, caller.workspaceId, params.id))),
  }),
  patch({
    operation: "change_folder",
    path: "/folders/{id}",
    tag,
    summary: "Rename or move a folder, or change its order or its place.",
    description:
      "A field left out stays as it is. Moving to another knowledge base takes the contents along. A folder with an index page has its title: a new name renames both.",
    scopes: ["knowledge-bases:write"],
    access: {
      action: "write",
      subject: "folder",
      writes: { knowledge_base_id: "knowledge_base", parent_id: "folder", index_document_id: "document" },
    },
    params: FolderParams,
    body: FolderChange,
    bodyExample: { name: "How-to guides" },
    errors: ["folder_cycle"],
    success: { status: 200, description: "It, changed.", data: Folder, example: exampleFolder },
    handler: async (input) => {
      const { app, caller, tx, params, body } = input;
      const change = {
        name: body.name,
        knowledgeBaseId: body.knowledge_base_id,
        parentId: body.parent_id,
        childOrder: body.child_order,
        place: body.place,
        indexDocumentId: body.index_document_id,
      };
      const { workspaceId } = caller;
      const shown = shownTo(tx, caller);
      const update = { workspaceId, id: params.id, change, actor: actorOf(input), shown };
      return ok(await describeFolder(shown, await changeFolder(app, tx, update)));
    },
  }),
];
