import { type Static, Type } from "typebox";
import { name, nullable, oneOf, plainText } from "../../../http/schemas.ts";
import { predicates } from "../../knowledge/concepts/schema.ts";
import { statedPredicateNames } from "../../knowledge/relations/predicates.ts";

const key = Type.String({ minLength: 1, maxLength: 64 });
const version = Type.String({ maxLength: 200, pattern: "^[\\u0021-\\u007e]+$" });
const instant = nullable(Type.Integer({ minimum: -8.64e15, maximum: 8.64e15 }));

export const RelationLine = Type.Object({
  origin: Type.Literal("manual"),
  predicate: oneOf(statedPredicateNames),
  source_document_id: key,
  source_block_id: key,
  source_version: version,
  target_document_id: key,
  target_block_id: nullable(key),
  anchor_text: plainText(1000),
});
export type RelationLine = Static<typeof RelationLine>;

const LabelLine = Type.Object({
  locale: Type.String({ maxLength: 100 }),
  name: name(),
  description: plainText(10_000),
  origin: oneOf(["manual", "imported", "machine"]),
});

/** Merging can give a concept more names than one request may send. */
const MAX_NAMES = 10_000;

export const ConceptLine = Type.Object({
  id: key,
  name: name(),
  aliases: Type.Array(name(), { maxItems: MAX_NAMES }),
  description: plainText(100_000),
  canonical_document_id: nullable(key),
  labels: Type.Array(LabelLine, { maxItems: MAX_NAMES }),
  valid_from: instant,
  valid_to: instant,
  sources: Type.Array(Type.Object({ document_id: key, block_id: nullable(key), source_version: version }), {
    maxItems: 100_000,
  }),
  relations: Type.Array(
    Type.Object({ predicate: oneOf(predicates), target_concept_id: key, valid_from: instant, valid_to: instant }),
    { maxItems: 100_000 },
  ),
});
export type ConceptLine = Static<typeof ConceptLine>;

export const graphLines = {
  relations: Type.Array(RelationLine, { maxItems: 500_000 }),
  concepts: Type.Array(ConceptLine, { maxItems: 100_000 }),
};
