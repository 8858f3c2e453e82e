import { Type } from "typebox";
import { cursor, limit, named, nullable, object, oneOf, plainText, time } from "../../../http/schemas.ts";
import { exampleWritten } from "../../content/content/schema.ts";
import { exampleDocument } from "../../library/documents/schema.ts";
import { skipReasons } from "./jobs/apply-job.ts";
import { MAX_UNITS } from "./jobs/start-job.ts";
import { exampleVariant, locale } from "./schema.ts";

const freshnesses = ["missing", "source_changed", "current", "conflict", "orphaned"] as const;
const reviewStatuses = ["unreviewed", "current", "ignored"] as const;

export const UnitQuery = object({
  locale: Type.Optional(locale("The target version.")),
  freshness: Type.Optional(oneOf(freshnesses)),
  review_status: Type.Optional(oneOf(reviewStatuses)),
  limit: limit(),
  cursor: cursor(),
});

export const Unit = named(
  "TranslationUnit",
  object({
    id: Type.String(),
    locale: Type.String(),
    source_document_id: Type.String(),
    source_block_id: Type.String(),
    source_text: nullable(Type.String({ description: "null when the source has the block no longer." })),
    source_hash: nullable(Type.String({ description: "Over the source line with its marks." })),
    target_document_id: Type.String(),
    target_block_id: nullable(Type.String()),
    target_text: nullable(Type.String()),
    target_version: Type.String({ description: "The target document's ETag, for a review's If-Match." }),
    freshness: oneOf(freshnesses),
    review_status: oneOf(reviewStatuses),
    origin: oneOf(["none", "machine", "manual"], "How the target's text came about."),
    candidate: nullable(object({ text: Type.String(), job_id: Type.String(), created_at: time() })),
    updated_at: time(),
  }),
);

export const Review = object(
  {
    review_status: Type.Optional(oneOf(["current", "ignored"])),
    target_text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100_000,
        description:
          "A person's own text, as Markdown of one line: put into the target; with it `review_status` is `current` unless it says otherwise.",
      }),
    ),
  },
  { minProperties: 1 },
);

const unitIds = () => Type.Array(plainText(64), { minItems: 1, maxItems: MAX_UNITS });

export const NewJob = object({
  target_locale: locale("The language of a target version that is there."),
  unit_ids: Type.Optional(unitIds()),
});

export const Apply = object({
  unit_ids: Type.Optional(unitIds()),
  base_target_version: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "The target document's ETag, instead of If-Match." }),
  ),
});

export const Job = named(
  "TranslationJob",
  object({
    id: Type.String(),
    status: oneOf(["pending", "running", "succeeded", "failed", "obsolete"]),
    document_id: Type.String({ description: "The source." }),
    source_version: Type.String(),
    target_document_id: Type.String(),
    target_locale: Type.String(),
    unit_count: Type.Integer(),
    units: Type.Array(
      object({
        unit_id: Type.String(),
        source_block_id: Type.String(),
        candidate: nullable(object({ text: Type.String() })),
        error: nullable(Type.String()),
      }),
    ),
    input_characters: Type.Integer({ description: "Charged to the day's quota." }),
    output_characters: Type.Integer(),
    estimated_cost: object({ amount: Type.Number(), currency: Type.String() }),
    provider: nullable(Type.String()),
    error: nullable(object({ code: Type.String(), message: Type.String() })),
    created_at: time(),
    finished_at: nullable(time()),
  }),
);

export const Applied = named(
  "AppliedTranslation",
  object({
    target_document_id: Type.String(),
    version: Type.String({ description: "The target's version now." }),
    changed_block_ids: Type.Array(Type.String()),
    applied: Type.Array(object({ unit_id: Type.String(), target_block_id: nullable(Type.String()) })),
    skipped: Type.Array(object({ unit_id: Type.String(), reason: oneOf(skipReasons) })),
  }),
);

export const exampleUnit = {
  id: "tu_01K9ZQ4T6N4Y3V7J8W2M5R1XCT",
  locale: "es",
  source_document_id: exampleDocument.id,
  source_block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM",
  source_text: "Hello world",
  source_hash: "64ec88ca00b268e5ba1a35678a1b5316d212f4f366b2477232534a8aeca37f3c",
  target_document_id: exampleVariant.document_id,
  target_block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCN",
  target_text: "",
  target_version: exampleDocument.version,
  freshness: "missing",
  review_status: "unreviewed",
  origin: "none",
  candidate: { text: "Hola mundo", job_id: "tjob_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ", created_at: 1794700000000 },
  updated_at: 1794700000000,
};

export const exampleJob = {
  id: exampleUnit.candidate.job_id,
  status: "pending",
  document_id: exampleDocument.id,
  source_version: exampleDocument.version,
  target_document_id: exampleVariant.document_id,
  target_locale: "es",
  unit_count: 1,
  units: [{ unit_id: exampleUnit.id, source_block_id: exampleUnit.source_block_id, candidate: null, error: null }],
  input_characters: 11,
  output_characters: 0,
  estimated_cost: { amount: 0, currency: "USD" },
  provider: null,
  error: null,
  created_at: 1794700000000,
  finished_at: null,
};

export const exampleApplied = {
  target_document_id: exampleVariant.document_id,
  version: exampleWritten.version,
  changed_block_ids: [exampleUnit.target_block_id],
  applied: [{ unit_id: exampleUnit.id, target_block_id: exampleUnit.target_block_id }],
  skipped: [],
};
