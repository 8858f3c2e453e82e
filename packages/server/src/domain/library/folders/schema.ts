import { Type } from "typebox";
import { idInBody, integerId, name, named, nullable, object, time } from "../../../http/schemas.ts";
import { childOrder, Place } from "../order/schema.ts";

export const Folder = named(
  "Folder",
  object({
    id: integerId(),
    knowledge_base_id: integerId(),
    parent_id: nullable(integerId()),
    name: Type.String(),
    child_order: childOrder(),
    index_document_id: nullable(Type.String({ description: "The page that people see when they open the folder." })),
    created_at: time(),
    updated_at: time(),
  }),
);

export const NewFolder = object({
  name: name(),
  knowledge_base_id: integerId(),
  parent_id: Type.Optional(nullable(integerId("null means the top level."))),
});

export const FolderChange = object(
  {
    name: Type.Optional(name()),
    knowledge_base_id: Type.Optional(integerId("Moves it, with its contents, to that knowledge base.")),
    parent_id: Type.Optional(nullable(integerId("Moves it into that folder; null means the top level."))),
    child_order: Type.Optional(childOrder()),
    place: Type.Optional(Place),
    index_document_id: Type.Optional(
      nullable({ ...idInBody(), description: "A document directly in the folder; null: no page." }),
    ),
  },
  { minProperties: 1 },
);

export const FolderParams = Type.Object({ id: integerId() });

export const exampleFolder = {
  id: 3,
  knowledge_base_id: 7,
  parent_id: null,
  name: "Guides",
  child_order: "name",
  index_document_id: null,
  created_at: 1794700000000,
  updated_at: 1794700000000,
};
