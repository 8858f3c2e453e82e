import { Type } from "typebox";
import { named, nullable, object, oneOf, time } from "../../../http/schemas.ts";
import { exampleDocument } from "../../library/documents/schema.ts";

const ChangedBlock = named(
  "ChangedBlock",
  object({
    block_id: Type.String(),
    change_type: oneOf(["added", "removed", "modified", "moved"]),
    heading_path: Type.Array(Type.String()),
    before: nullable(Type.String({ description: "Its Markdown at that time; null when added, or no longer kept." })),
    after: nullable(Type.String({ description: "Its Markdown now; null when removed." })),
  }),
);

export const DocumentDifference = named(
  "DocumentDifference",
  object({
    document_id: Type.String(),
    title: Type.String(),
    path_text: Type.String(),
    from_version: nullable(
      Type.String({ description: "Null for a document made since, or when it is no longer kept." }),
    ),
    to_version: nullable(Type.String({ description: "Null for a deleted document." })),
    deleted_at: nullable({
      ...time(),
      description: "When it was deleted; its blocks are `removed`. Null for a document that is there.",
    }),
    actors: Type.Array(object({ id: Type.String(), name: nullable(Type.String()) })),
    complete: Type.Boolean({ description: "False when the state of that time is no longer kept." }),
    changes: Type.Array(ChangedBlock),
  }),
);

export const exampleDifference = {
  document_id: exampleDocument.id,
  title: "Getting started",
  path_text: "Handbook / Getting started",
  from_version: exampleDocument.version,
  to_version: exampleDocument.version,
  deleted_at: null,
  actors: [{ id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD", name: "Ada" }],
  complete: true,
  changes: [
    {
      block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM",
      change_type: "modified",
      heading_path: ["Limits"],
      before: "The limit is 40 MB.",
      after: "The limit is 50 MB.",
    },
  ],
};
