import { Type } from "typebox";
import { integerId, name, named, nullable, object, time } from "../../../http/schemas.ts";
import { childOrder, Place } from "../order/schema.ts";

export const Folder = named(
  "Folder",
  object({
    id: integerId(),
    knowledge_base_id: integerId(),
    parent_id: nullable(integerId()),
    name: Type.String(),
    child_order: childOrder(),
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
  created_at: 1794700000000,
  updated_at: 1794700000000,
};
