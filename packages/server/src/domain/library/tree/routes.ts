import { Type } from "typebox";
import { type Route, read } from "../../../http/route.ts";
import { cursor, object } from "../../../http/schemas.ts";
import { FolderParams } from "../folders/schema.ts";
import {
  DocumentItem,
  exampleKnowledgeBase,
  FolderItem,
  KnowledgeBaseParams,
  Tree,
} from "../knowledge-bases/schema.ts";
import { listFolderChildren, listTopLevel } from "./list-children.ts";
import { readTree } from "./read-tree.ts";

const childrenQuery = object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: cursor(),
});

const childrenSuccess = {
  status: 200,
  description: "Folders first, each by name or title in natural order, or as people have placed them.",
  data: Type.Union([FolderItem, DocumentItem]),
  list: true,
  example: { type: "folder", id: 4, name: "Drafts", parent_id: 3, index_document_id: null, has_children: false },
};

/** Folders and documents together, in their hierarchy. */
export const treeRoutes: Route[] = [
  read({
    operation: "get_tree",
    path: "/knowledge-bases/{id}/tree",
    tag: "Knowledge bases",
    summary: "All folders and documents of a knowledge base as one tree.",
    description:
      "Folders first, each by name or title in natural order, or as people have placed them (`child_order`). Language variants are not shown.",
    scopes: ["knowledge-bases:read"],
    access: { action: "read", subject: "knowledge_base" },
    params: KnowledgeBaseParams,
    success: {
      status: 200,
      description: "The tree.",
      data: Tree,
      example: {
        knowledge_base: exampleKnowledgeBase,
        children: [{ type: "folder", id: 3, name: "Guides", parent_id: null, index_document_id: null, children: [] }],
      },
    },
    handler: async ({ caller, db, params }) => ({ dataJson: await readTree(db, caller.workspaceId, params.id) }),
  }),
  read({
    operation: "list_top_level",
    path: "/knowledge-bases/{id}/children",
    tag: "Knowledge bases",
    summary: "The top-level items of a knowledge base, in its order.",
    description: "Whole, unless `limit` asks for pages.",
    scopes: ["knowledge-bases:read", "documents:read"],
    access: { action: "read", subject: "knowledge_base" },
    params: KnowledgeBaseParams,
    query: childrenQuery,
    success: childrenSuccess,
    handler: ({ app, caller, db, params, query }) => listTopLevel(app, db, caller.workspaceId, params.id, query),
  }),
  read({
    operation: "list_folder_children",
    path: "/folders/{id}/children",
    tag: "Folders",
    summary: "The direct items of a folder, in its order.",
    description: "Whole, unless `limit` asks for pages.",
    scopes: ["knowledge-bases:read", "documents:read"],
    access: { action: "read", subject: "folder" },
    params: FolderParams,
    query: childrenQuery,
    success: childrenSuccess,
    handler: ({ app, caller, db, params, query }) => listFolderChildren(app, db, caller.workspaceId, params.id, query),
  }),
];
