import { Type } from "typebox";
import { BodyContent } from "../../../bodies/parsing/schema.ts";
import {
  cursor,
  flag,
  idEnds,
  integerId,
  limit,
  name,
  named,
  nullable,
  object,
  oneOf,
  time,
  ulidOf,
} from "../../../http/schemas.ts";
import { Place } from "../order/schema.ts";
import { PropertyMap, propertyFilters } from "../properties/schema.ts";

export const documentTypes = ["document", "spreadsheet"] as const;

export const Document = named(
  "Document",
  object({
    id: Type.String(),
    uri: Type.String(),
    title: Type.String(),
    knowledge_base_id: integerId(),
    folder_id: nullable(integerId()),
    file_name: nullable(
      Type.String({ description: "The name of its Markdown file without `.md`, where that is not the title." }),
    ),
    document_type: oneOf(documentTypes),
    heading_numbered: Type.Boolean(),
    background_color: nullable(Type.String()),
    collapsed_block_ids: Type.Array(Type.String()),
    is_template: Type.Boolean({ description: "Offered as a beginning for new documents." }),
    version: Type.String({ description: "The body's version: its ETag." }),
    character_count: Type.Integer(),
    block_count: Type.Integer({ description: "Top-level blocks." }),
    created_at: time(),
    updated_at: time(),
    document_set_id: nullable(Type.String()),
    document_set_uri: nullable(Type.String()),
    locale: nullable(Type.String()),
    variant_role: nullable(oneOf(["source", "target"])),
    workflow_status: nullable(oneOf(["draft", "in_review", "published", "archived"])),
    translated_from_document_id: nullable(Type.String()),
    translated_from_version: nullable(Type.String()),
    translation_freshness: oneOf(["current", "source_changed", "missing"]),
    properties: PropertyMap,
  }),
);

/** The name of a file, without folders and without its ending. */
const fileName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "^[^/\\\\\\u0000-\\u001f\\u007f]+$",
  "x-says": "must be the name of a file, without folders",
});

/** A document's own settings, besides title and body. */
export const documentSettings = {
  file_name: Type.Optional(
    nullable({
      ...fileName,
      description: "The name of its file without `.md`; null means the title. A new title resets it.",
    }),
  ),
  heading_numbered: Type.Optional(Type.Boolean()),
  background_color: Type.Optional(
    nullable(
      Type.String({
        pattern: "^#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$",
        "x-says": "must be a hex colour such as #ffee00",
      }),
    ),
  ),
  collapsed_block_ids: Type.Optional(Type.Array(ulidOf("block"), { maxItems: 10_000, uniqueItems: true })),
  is_template: Type.Optional(
    Type.Boolean({ description: "A copy of it (`POST /documents/{id}/copy`) begins a new document." }),
  ),
};

export const NewDocument = object({
  title: name(),
  knowledge_base_id: integerId(),
  folder_id: Type.Optional(nullable(integerId("null means the top level."))),
  document_type: Type.Optional(oneOf(documentTypes)),
  ...documentSettings,
  content: Type.Optional(BodyContent),
});

export const DocumentChange = object(
  {
    title: Type.Optional(name()),
    knowledge_base_id: Type.Optional(integerId("Moves it to that knowledge base.")),
    folder_id: Type.Optional(nullable(integerId("Moves it into that folder; null means the top level."))),
    place: Type.Optional(Place),
    ...documentSettings,
  },
  { minProperties: 1 },
);

export const DocumentParams = Type.Object({ id: Type.String() });

export const DocumentQuery = propertyFilters({
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: "In the title, whatever its case and accents." }),
  ),
  id_ends: Type.Optional(idEnds()),
  knowledge_base_id: Type.Optional(integerId()),
  folder_id: Type.Optional(integerId("That folder's own documents only.")),
  limit: limit(),
  cursor: cursor(),
  updated_since: Type.Optional(
    Type.String({
      maxLength: 40,
      description: "ISO 8601 or milliseconds; not earlier than this. Without a zone it is UTC.",
    }),
  ),
  sort: Type.Optional(oneOf(["id", "updated_at"], "`id` ascending (default) or `updated_at`, newest first.")),
  locale: Type.Optional(Type.String({ maxLength: 100, description: "Only this language's versions." })),
  is_template: Type.Optional(Type.Boolean({ description: "`true`: templates only; `false`: none of them." })),
  include_variants: flag("Target language versions too."),
});

export const DocumentPath = named(
  "DocumentPath",
  object({
    knowledge_base: object({ id: integerId(), name: Type.String() }),
    folders: Type.Array(object({ id: integerId(), name: Type.String() })),
    document: object({ id: Type.String(), title: Type.String() }),
    path_text: Type.String(),
  }),
);

export const exampleDocument = {
  id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
  uri: "svc://doc/doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
  title: "Getting started",
  knowledge_base_id: 7,
  folder_id: null,
  file_name: null,
  document_type: "document",
  heading_numbered: false,
  background_color: null,
  collapsed_block_ids: [],
  is_template: false,
  version: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  character_count: 11,
  block_count: 1,
  created_at: 1794700000000,
  updated_at: 1794700000000,
  document_set_id: null,
  document_set_uri: null,
  locale: null,
  variant_role: null,
  workflow_status: null,
  translated_from_document_id: null,
  translated_from_version: null,
  translation_freshness: "current",
  properties: { status: "draft", tags: ["guide"] },
};
