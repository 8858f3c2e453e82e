import { Type } from "typebox";
import { named, nullable, object, oneOf, plainText, time, writtenText } from "../../../http/schemas.ts";

const scopes = ["section", "document", "folder", "knowledge_base"] as const;

const OutlineEntry = object({
  level: Type.Integer(),
  text: Type.String(),
  block_id: nullable(Type.String()),
  document_id: nullable(Type.String()),
});

export const Summary = named(
  "Summary",
  object({
    id: Type.String(),
    scope: oneOf(scopes),
    text: Type.String({ description: "Markdown." }),
    outline: Type.Array(OutlineEntry),
    status: oneOf(["ready", "empty", "generating"]),
    generator: oneOf(["deterministic", "model", "manual"]),
    source_version: Type.String(),
    current_source_version: Type.String(),
    source_block_ids: Type.Array(Type.String()),
    source_document_ids: Type.Array(Type.String()),
    coverage: object(
      { covered_blocks: Type.Integer(), total_blocks: Type.Integer(), ratio: Type.Number() },
      { description: "For folders and knowledge bases it counts documents." },
    ),
    freshness: oneOf(["current", "stale"], "`stale`: the source has changed since."),
    pinned: Type.Boolean(),
    summary_version: Type.String({ description: "The summary's own ETag." }),
    author: nullable(object({ id: Type.String(), name: nullable(Type.String()) })),
    created_at: time(),
    updated_at: time(),
  }),
);

export const ManualSummary = object({
  text: writtenText(100_000),
  base_source_version: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Required: the source version you read." }),
  ),
  pinned: Type.Optional(Type.Boolean({ description: "Automatic work leaves a pinned summary alone." })),
});

export const generator = Type.Optional(
  oneOf(["deterministic", "model"], "`model` also needs `summaries:generate` and answers a job."),
);
const RebuildDocument = object({ generator, block_id: Type.Optional(plainText(64)) });
const RebuildWhole = object({ generator });
/** Only documents have sections. */
export const rebuildOf = (scope: (typeof scopes)[number]) => (scope === "document" ? RebuildDocument : RebuildWhole);

export const SummaryJob = named(
  "SummaryJob",
  object({
    id: Type.String(),
    status: oneOf(["pending", "running", "succeeded", "failed", "obsolete"]),
    scope: oneOf(scopes),
    target_id: Type.String(),
    block_id: nullable(Type.String()),
    error: nullable(object({ code: Type.String(), message: Type.String() })),
    created_at: time(),
    finished_at: nullable(time()),
    summary_version: nullable(Type.String()),
  }),
);

const version = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

export const exampleSummary = {
  id: "sum_01K9ZQ4T6N4Y3V7J8W2M5R1XCN",
  scope: "document",
  text: "**Getting started**\n\nHello world",
  outline: [],
  status: "ready",
  generator: "deterministic",
  source_version: version,
  current_source_version: version,
  source_block_ids: ["block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM"],
  source_document_ids: ["doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ"],
  coverage: { covered_blocks: 1, total_blocks: 1, ratio: 1 },
  freshness: "current",
  pinned: false,
  summary_version: version,
  author: null,
  created_at: 1794700000000,
  updated_at: 1794700000000,
};

export const exampleJob = {
  id: "sjob_01K9ZQ4T6N4Y3V7J8W2M5R1XCP",
  status: "pending",
  scope: "document",
  target_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
  block_id: null,
  error: null,
  created_at: 1794700000000,
  finished_at: null,
  summary_version: null,
};
