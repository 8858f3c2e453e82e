import { Type } from "typebox";
import { pageOf } from "../../http/page.ts";
import { type Route, read } from "../../http/route.ts";
import { cursor, object } from "../../http/schemas.ts";
import { FolderParams } from "../folders/schema.ts";
import {
  DocumentItem,
  exampleKnowledgeBase,
  FolderItem,
  KnowledgeBaseParams,
  Tree,
} from "../knowledge-bases/schema.ts";
import { childrenAfter, listChildren, placeOf } from "./list-children.ts";
import { readTree } from "./read-tree.ts";

/** Folders and documents together, as they stand in each other. */
export const treeRoutes: Route[] = [
  read({
    operation: "get_tree",
    path: "/knowledge-bases/{id}/tree",
    tag: "Knowledge bases",
    summary: "All folders and documents of a knowledge base as one tree.",
    description: "Folders first, each by name or title in natural order. Language variants are not shown.",
    scopes: ["knowledge-bases:read"],
    params: KnowledgeBaseParams,
    success: {
      status: 200,
      description: "The tree.",
      data: Tree,
      example: {
        knowledge_base: exampleKnowledgeBase,
        children: [{ type: "folder", id: 3, name: "Guides", parent_id: null, children: [] }],
      },
    },
    handler: async ({ caller, db, params }) => ({ dataJson: await readTree(db, caller.workspaceId, params.id) }),
  }),
  read({
    operation: "list_folder_children",
    path: "/folders/{id}/children",
    tag: "Folders",
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
