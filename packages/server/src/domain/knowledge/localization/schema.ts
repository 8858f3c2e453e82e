import { Type } from "typebox";
import { name, named, nullable, object, oneOf, time } from "../../../http/schemas.ts";
import { exampleDocument } from "../../library/documents/schema.ts";
import { auditActions } from "./audit.ts";
import { createModes } from "./blocks/copy-blocks.ts";

export const workflowStatuses = ["draft", "in_review", "published", "archived"] as const;
const freshness = oneOf(["current", "source_changed", "missing"], "The worst of its units.");

export const locale = (description = "A BCP 47 language tag.") =>
  Type.String({ minLength: 1, maxLength: 100, description });

const createMode = Type.Optional(
  oneOf(
    createModes,
    "`copy_structure` (default): the same blocks with their text left empty. `copy_content`: with the source's text. `empty`: no blocks.",
  ),
);

export const Activation = object({
  source_locale: locale("The language of the document as it is."),
  target_locales: Type.Optional(Type.Array(locale(), { maxItems: 50 })),
  fallback_locale: Type.Optional(locale("Shown where a language is not there; the source's language when left out.")),
  create_mode: createMode,
});

export const NewVersion = object({ locale: locale(), title: Type.Optional(name()), create_mode: createMode });

export const VersionChange = object(
  { title: Type.Optional(name()), workflow_status: Type.Optional(oneOf(workflowStatuses)) },
  { minProperties: 1 },
);

const counts = object(
  {
    total: Type.Integer({ description: "Without the orphaned ones." }),
    missing: Type.Integer(),
    source_changed: Type.Integer(),
    current: Type.Integer(),
    conflict: Type.Integer(),
    ignored: Type.Integer(),
    orphaned: Type.Integer(),
  },
  { description: "Each unit counts once; an ignored one as that." },
);

export const Variant = named(
  "LanguageVersion",
  object({
    document_id: Type.String(),
    locale: Type.String(),
    variant_role: oneOf(["source", "target"]),
    workflow_status: oneOf(workflowStatuses),
    title: Type.String(),
    translation_freshness: freshness,
    version: Type.String({ description: "The body's version: its ETag." }),
    units: counts,
  }),
);

const set = {
  id: Type.String(),
  uri: Type.String(),
  source_locale: Type.String(),
  fallback_locale: Type.String(),
  source_document_id: Type.String(),
  created_at: time(),
  variants: Type.Array(Variant, { description: "The source first, then the others by language." }),
};

export const DocumentSet = named("DocumentSet", object(set));

export const Localizations = named(
  "Localizations",
  object({
    ...set,
    id: nullable(set.id),
    uri: nullable(set.uri),
    source_locale: nullable(set.source_locale),
    fallback_locale: nullable(set.fallback_locale),
    created_at: nullable(set.created_at),
    requested_locale: nullable(Type.String()),
    resolved_locale: nullable(Type.String()),
    resolved_document_id: Type.String(),
    fallback_used: Type.Boolean(),
  }),
);

export const AuditRecord = named(
  "LocalizationAuditRecord",
  object({
    id: Type.String(),
    action: oneOf(auditActions),
    actor: object({
      user_id: Type.String(),
      token_id: nullable(Type.String()),
      client: nullable(Type.String()),
    }),
    locale: nullable(Type.String()),
    unit_id: nullable(Type.String()),
    before: nullable(Type.Object({}, { additionalProperties: true })),
    after: nullable(Type.Object({}, { additionalProperties: true })),
    created_at: time(),
  }),
);

const noUnits = { total: 0, missing: 0, source_changed: 0, current: 0, conflict: 0, ignored: 0, orphaned: 0 };

export const exampleVariant = {
  document_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCK",
  locale: "es",
  variant_role: "target",
  workflow_status: "draft",
  title: "Getting started",
  translation_freshness: "missing",
  version: exampleDocument.version,
  units: { ...noUnits, total: 1, missing: 1 },
};

export const exampleSet = {
  id: "dset_01K9ZQ4T6N4Y3V7J8W2M5R1XCS",
  uri: "svc://docset/dset_01K9ZQ4T6N4Y3V7J8W2M5R1XCS",
  source_locale: "en",
  fallback_locale: "en",
  source_document_id: exampleDocument.id,
  created_at: 1794700000000,
  variants: [
    {
      ...exampleVariant,
      document_id: exampleDocument.id,
      locale: "en",
      variant_role: "source",
      workflow_status: "published",
      translation_freshness: "current",
      units: noUnits,
    },
    exampleVariant,
  ],
};

export const exampleAudit = {
  id: "aud_01K9ZQ4T6N4Y3V7J8W2M5R1XCA",
  action: "review",
  actor: { user_id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD", token_id: null, client: "svc-cli" },
  locale: "es",
  unit_id: "tu_01K9ZQ4T6N4Y3V7J8W2M5R1XCT",
  before: { freshness: "conflict", review_status: "unreviewed" },
  after: { freshness: "current", review_status: "current" },
  created_at: 1794700000000,
};

export const VersionParams = Type.Object({ id: Type.String(), locale: Type.String() });
