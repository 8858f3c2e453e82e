import { Type } from "typebox";
import { integerId, name, named, nullable, object, oneOf, time } from "../../../http/schemas.ts";
import { childOrder } from "../order/schema.ts";

export const KnowledgeBase = named(
  "KnowledgeBase",
  object({
    id: integerId(),
    confirm_id: Type.String({ description: "The value that its deletion asks for." }),
    name: Type.String(),
    document_count: Type.Integer(),
    folder_count: Type.Integer(),
    members_may_comment: Type.Boolean({ description: "Its viewers may comment and suggest." }),
    child_order: childOrder(),
    created_at: time(),
    updated_at: time(),
  }),
);

export const KnowledgeBaseName = object({ name: name() });
export const KnowledgeBaseChange = object(
  {
    name: Type.Optional(name()),
    members_may_comment: Type.Optional(
      Type.Boolean({ description: "Whether its viewers may comment and suggest. Owners of the workspace change it." }),
    ),
    child_order: Type.Optional(childOrder()),
  },
  { minProperties: 1 },
);
export const Confirmation = object({ confirm_id: Type.String({ minLength: 1, maxLength: 100 }) });
export const KnowledgeBaseParams = Type.Object({ id: integerId() });

const documentItem = {
  type: Type.Literal("document"),
  id: Type.String(),
  title: Type.String(),
  document_type: oneOf(["document", "spreadsheet"]),
  folder_id: nullable(integerId()),
  updated_at: time(),
};
const folderItem = {
  type: Type.Literal("folder"),
  id: integerId(),
  name: Type.String(),
  parent_id: nullable(integerId()),
  index_document_id: nullable(Type.String({ description: "The page that people see when they open the folder." })),
};

export const DocumentItem = named("DocumentItem", object(documentItem));
export const FolderItem = named("FolderItem", object({ ...folderItem, has_children: Type.Boolean() }));

const childRefs = ["FolderNode", "DocumentItem"].map((name) => ({ $ref: `#/components/schemas/${name}` }));

/** A folder of the tree; its children are folders and documents. */
const FolderNode = named(
  "FolderNode",
  object({
    ...folderItem,
    children: Type.Array(Type.Unsafe({ type: "object", "x-described": { anyOf: childRefs } })),
  }),
);

export const Tree = named(
  "Tree",
  object({ knowledge_base: KnowledgeBase, children: Type.Array(Type.Union([FolderNode, DocumentItem])) }),
);

export const exampleKnowledgeBase = {
  id: 7,
  confirm_id: "kb_01K9ZQ4T6N4Y3V7J8W2M5R1XCH",
  name: "Handbook",
  document_count: 12,
  folder_count: 3,
  members_may_comment: true,
  child_order: "name",
  created_at: 1794700000000,
  updated_at: 1794700000000,
};
