import { Type } from "typebox";
import {
  cursor,
  idEnds,
  idInBody,
  integerId,
  limit,
  name,
  named,
  nullable,
  object,
  oneOf,
  plainText,
  time,
} from "../../../http/schemas.ts";

export const predicates = ["alias_of", "broader_than", "related_to"] as const;
export const predicateText = Type.String({ minLength: 1, maxLength: 100, description: predicates.join(", ") });
const predicate = oneOf(predicates);

/**
 * Limit of evidence and relations shown with a concept: it may have tens of thousands, and a page holds a hundred
 * concepts.
 */
export const MAX_SHOWN = 100;

const instant = () =>
  nullable(Type.Integer({ minimum: -8.64e15, maximum: 8.64e15, description: "Milliseconds; null is open." }));

const LabelInput = object({
  locale: Type.String({ maxLength: 100, description: "BCP 47." }),
  name: name(),
  description: Type.Optional(plainText(10_000)),
  origin: Type.Optional(oneOf(["manual", "imported", "machine"])),
});

const Label = object({
  locale: Type.String(),
  name: Type.String(),
  description: Type.String(),
  origin: Type.String(),
  created_by: Type.String(),
  created_at: time(),
  updated_at: time(),
});

const settable = {
  aliases: Type.Optional(Type.Array(name(), { maxItems: 200 })),
  description: Type.Optional(plainText(100_000)),
  canonical_document_id: Type.Optional(nullable(plainText(64))),
  labels: Type.Optional(Type.Array(LabelInput, { maxItems: 200 })),
  valid_from: Type.Optional(instant()),
  valid_to: Type.Optional(instant()),
};

export const NewConcept = object({ knowledge_base_id: integerId(), name: name(), ...settable });
export const ConceptChange = object({ name: Type.Optional(name()), ...settable }, { minProperties: 1 });

export const Source = object({
  document_id: Type.String(),
  block_id: nullable(Type.String()),
  source_version: Type.String(),
  current_version: nullable(Type.String()),
  freshness: oneOf(["current", "stale"]),
  state: oneOf(["ok", "dangling_source_block", "dangling_source_document"]),
  created_by: Type.String(),
  created_at: time(),
  updated_at: time(),
});

export const Relation = object({
  id: Type.String(),
  predicate,
  direction: oneOf(["outgoing", "incoming"], "As seen from this concept."),
  source_concept_id: Type.String(),
  target_concept_id: Type.String(),
  valid_from: instant(),
  valid_to: instant(),
  created_by: Type.String(),
  created_at: time(),
});

export const Concept = named(
  "Concept",
  object({
    id: Type.String(),
    uri: Type.String(),
    knowledge_base_id: integerId(),
    name: Type.String(),
    aliases: Type.Array(Type.String()),
    description: Type.String(),
    canonical_document_id: nullable(Type.String()),
    labels: Type.Array(Label),
    valid_from: instant(),
    valid_to: instant(),
    sources: Type.Array(Source, { description: `The latest ${MAX_SHOWN}.` }),
    source_count: Type.Integer({
      description: "The number of all evidence entries; `GET /concepts/{id}/sources` lists them.",
    }),
    relations: Type.Array(Relation, { description: `The latest ${MAX_SHOWN}.` }),
    relation_count: Type.Integer({
      description: "The number of all relations; `GET /concepts/{id}/relations` lists them.",
    }),
    merged_into: nullable(Type.String()),
    redirected_from: Type.Optional(Type.String({ description: "The merged id that was asked for." })),
    version: Type.String(),
    created_by: Type.String(),
    created_at: time(),
    updated_at: time(),
  }),
);

export const ConceptQuery = object({
  knowledge_base_id: Type.Optional(integerId()),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  id_ends: Type.Optional(idEnds()),
  limit: limit(),
  cursor: cursor(),
});

export const NewSource = object({
  document_id: idInBody(),
  block_id: Type.Optional(nullable(plainText(64, "null: the whole document."))),
  source_version: plainText(200, undefined, 1),
});

export const NewRelation = object({
  predicate: predicateText,
  target_concept_id: idInBody(),
  valid_from: Type.Optional(instant()),
  valid_to: Type.Optional(instant()),
});

export const Merge = object({
  source_concept_id: idInBody(),
  source_version: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Required: the version of the concept to be merged." }),
  ),
});

export const Traversal = named(
  "Traversal",
  object({
    nodes: Type.Array(
      object({
        id: Type.String(),
        uri: Type.String(),
        name: Type.String(),
        knowledge_base_id: integerId(),
        depth: Type.Integer({ description: "Steps from the concept asked for." }),
      }),
    ),
    edges: Type.Array(
      object({
        id: Type.String(),
        predicate,
        source_concept_id: Type.String(),
        target_concept_id: Type.String(),
        valid_from: instant(),
        valid_to: instant(),
      }),
    ),
    at: time(),
    truncated: Type.Boolean({ description: "There was more than one answer holds." }),
  }),
);

export const HistoryEntry = named(
  "ConceptHistoryEntry",
  object({
    id: Type.Integer(),
    concept_id: Type.String(),
    action: oneOf(["created", "changed", "source_added", "relation_added", "merged", "merged_into", "unmerged"]),
    user_id: Type.String(),
    details: Type.Object({}, { additionalProperties: true }),
    created_at: time(),
  }),
);

export const exampleConcept = {
  id: "concept_01K9ZQ4T6N4Y3V7J8W2M5R1XCQ",
  uri: "svc://concept/concept_01K9ZQ4T6N4Y3V7J8W2M5R1XCQ",
  knowledge_base_id: 7,
  name: "Idempotency",
  aliases: ["idempotence"],
  description: "Doing it twice does no more than doing it once.",
  canonical_document_id: null,
  labels: [],
  valid_from: null,
  valid_to: null,
  sources: [],
  source_count: 0,
  relations: [],
  relation_count: 0,
  merged_into: null,
  version: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  created_by: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD",
  created_at: 1794700000000,
  updated_at: 1794700000000,
};

export const exampleSource = {
  document_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
  block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM",
  source_version: exampleConcept.version,
  current_version: exampleConcept.version,
  freshness: "current",
  state: "ok",
  created_by: exampleConcept.created_by,
  created_at: 1794700000000,
  updated_at: 1794700000000,
};

export const exampleRelation = {
  id: "rel_01K9ZQ4T6N4Y3V7J8W2M5R1XCS",
  predicate: "broader_than",
  direction: "outgoing",
  source_concept_id: exampleConcept.id,
  target_concept_id: "concept_01K9ZQ4T6N4Y3V7J8W2M5R1XCR",
  valid_from: null,
  valid_to: null,
  created_by: exampleConcept.created_by,
  created_at: 1794700000000,
};

export const exampleTraversal = {
  nodes: [{ id: exampleConcept.id, uri: exampleConcept.uri, name: "Idempotency", knowledge_base_id: 7, depth: 0 }],
  edges: [],
  at: 1794700000000,
  truncated: false,
};

export const exampleEntry = {
  id: 1,
  concept_id: exampleConcept.id,
  action: "created",
  user_id: exampleConcept.created_by,
  details: { name: "Idempotency" },
  created_at: 1794700000000,
};
