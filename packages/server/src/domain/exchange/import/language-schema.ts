import { type Static, Type } from "typebox";
import { nullable, oneOf } from "../../../http/schemas.ts";
import { workflowStatuses } from "../../knowledge/localization/schema.ts";

const key = Type.String({ minLength: 1, maxLength: 64 });
const locale = Type.String({ minLength: 2, maxLength: 100 });

const UnitLine = Type.Object({
  source_block_id: key,
  target_block_id: nullable(key),
  freshness: oneOf(["missing", "source_changed", "current", "conflict", "orphaned"]),
  origin: oneOf(["none", "machine", "manual"]),
  review_status: oneOf(["unreviewed", "current", "ignored"]),
});
export type UnitLine = Static<typeof UnitLine>;

/** The language fields of a document's line; older archives omit some. */
export const languageFields = {
  document_set_id: Type.Optional(nullable(key)),
  locale: Type.Optional(nullable(locale)),
  variant_role: Type.Optional(nullable(oneOf(["source", "target"]))),
  workflow_status: Type.Optional(nullable(oneOf(workflowStatuses))),
  translated_from_version: Type.Optional(nullable(Type.String({ maxLength: 200, pattern: "^[\\u0021-\\u007e]+$" }))),
  fallback_locale: Type.Optional(locale),
  translation_units: Type.Optional(Type.Array(UnitLine, { maxItems: 100_000 })),
};

const LanguageLine = Type.Object({ id: key, version: Type.String(), ...languageFields });
export type LanguageLine = Static<typeof LanguageLine>;
