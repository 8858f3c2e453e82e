import { type Static, Type } from "typebox";
import { cursor, flag, integerId, limit, named, nullable, object, oneOf, time } from "../../http/schemas.ts";
import { documentTypes, exampleDocument } from "../../resources/documents/schema.ts";
import { propertyFilters } from "../../resources/properties/schema.ts";

const q = Type.String({
  description:
    'Words that all stand in one block (or in the title), `"a phrase"`, `prefix*`, `-not`; everything else is text. At most 512 characters and 32 terms.',
});

export const SearchQuery = propertyFilters({
  q,
  mode: Type.Optional(
    oneOf(["topk", "exhaustive"], "Best first (default), or every hit exactly once in the order of the index."),
  ),
  in: Type.Optional(
    oneOf(
      ["documents", "comments"],
      "`comments`: comments that have all the words in them, the newest first, without regard to `mode`.",
    ),
  ),
  knowledge_base_id: Type.Optional(integerId()),
  folder_id: Type.Optional(integerId("That folder and the folders below it.")),
  document_id: Type.Optional(Type.String({ maxLength: 64, description: "Only this document." })),
  document_type: Type.Optional(oneOf(documentTypes)),
  partial: flag(
    "Where no block has all the words: those that have as many of them as possible, also in other forms. `partial` of the answer tells what was looked for instead and which words are missing. Not for comments.",
  ),
  updated_since: Type.Optional(
    Type.String({
      maxLength: 40,
      description: "ISO 8601 or milliseconds; documents changed not earlier than this. Without a zone it is UTC.",
    }),
  ),
  author: Type.Optional(
    Type.String({
      pattern: "^user_[0-9A-HJKMNP-TV-Z]{26}$",
      description: "Id of a person: documents that they made or changed last.",
    }),
  ),
  tag: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2000, description: "Documents with this tag, as `property.tags` does." }),
  ),
  locale: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        "A language tag: versions in that language. `all`: everything. Absent: ordinary and source-language documents.",
    }),
  ),
  include_block: flag("The whole block of each hit as Markdown, in `block`."),
  include_summary: flag("Each document's stored summary, or else its first paragraph."),
  limit: limit(20),
  cursor: cursor(),
});
export type SearchInput = Static<typeof SearchQuery>;

export const SimpleSearchQuery = object({ q, limit: limit(20), cursor: cursor() });

const TermExplanation = object({
  term: Type.String({ description: "As typed." }),
  indexed: Type.String({ description: "As looked up." }),
  kind: oneOf(["term", "phrase", "prefix"]),
  tf: Type.Integer({ description: "Occurrences in this block." }),
  df: Type.Integer({ description: "Blocks of the workspace that have it." }),
  idf: Type.Number({ description: "ln(1 + (n - df + 0.5) / (df + 0.5))" }),
  length_norm: Type.Number({ description: "1 - b + b · length / average_length" }),
  contribution: Type.Number({ description: "boost · idf · tf · (k1 + 1) / (tf + k1 · length_norm)" }),
});

const SearchExplanation = named(
  "SearchExplanation",
  object({
    model: Type.Literal("bm25"),
    k1: Type.Number(),
    b: Type.Number(),
    field: oneOf(["content", "title"]),
    length: Type.Integer({ description: "Words in this block." }),
    average_length: Type.Number(),
    n: Type.Integer({ description: "Blocks in the workspace's index." }),
    boost: Type.Number(),
    terms: Type.Array(TermExplanation, { description: "Their contributions add up to the score." }),
  }),
);

export const HitSummary = object({
  text: Type.String(),
  generator: oneOf(["deterministic", "model", "manual"]),
  freshness: oneOf(["current", "stale"]),
});

export const SearchHit = named(
  "SearchHit",
  object({
    document_id: Type.String(),
    title: Type.String(),
    knowledge_base_id: integerId(),
    folder_id: nullable(integerId()),
    document_type: oneOf(documentTypes),
    block_id: nullable(Type.String({ description: "null for a hit in the title." })),
    document_uri: Type.String(),
    path_text: Type.String(),
    heading_path: Type.Array(Type.String()),
    comment_id: Type.Optional(Type.String({ description: "With `in=comments`; so is `thread_id`." })),
    thread_id: Type.Optional(Type.String()),
    matched_in: oneOf(["content", "title", "comment"]),
    context: object(
      { before: Type.String(), match: Type.String(), after: Type.String() },
      { description: "One after the other they are a verbatim part of the block's text." },
    ),
    source_version: Type.String(),
    indexed_version: Type.String(),
    freshness: Type.Literal("current"),
    updated_at: time(),
    score: Type.Number(),
    explanation: Type.Optional(SearchExplanation),
    summary: Type.Optional(HitSummary),
    block: Type.Optional(
      nullable(
        Type.String({
          description:
            "With `include_block`: the whole block as Markdown, of a table its row; null for a title and for more than 2,000 characters.",
        }),
      ),
    ),
  }),
);

export const HitCounts = named(
  "SearchHitCounts",
  object(
    {
      total: Type.Integer(),
      documents: Type.Integer(),
      content: Type.Integer(),
      title: Type.Integer(),
    },
    { description: "Exact, of the whole result." },
  ),
);

export const Projection = named(
  "SearchProjection",
  object({
    complete: Type.Boolean({ description: "Every document that the filter allows is indexed in its current version." }),
    stale_count: Type.Integer(),
    stale_document_ids: Type.Array(Type.String(), { description: "At most 100." }),
  }),
);

export const PartialMatch = nullable(
  object(
    {
      q: Type.String({ description: "What was looked for instead." }),
      missing: Type.Array(Type.String(), { description: "Words of the query that no hit has to have." }),
    },
    { description: "With `partial=true`; null where hits have all the words, or there are none." },
  ),
);

export const SimpleHit = named(
  "SimpleSearchHit",
  object({ document_id: Type.String(), block_id: nullable(Type.String()), excerpt: Type.String() }),
);

export const exampleHit = {
  document_id: exampleDocument.id,
  title: "Getting started",
  knowledge_base_id: 7,
  folder_id: null,
  document_type: "document",
  block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM",
  document_uri: exampleDocument.uri,
  path_text: "Handbook / Getting started",
  heading_path: ["Installation"],
  matched_in: "content",
  context: { before: "Run the ", match: "installer", after: " once." },
  source_version: exampleDocument.version,
  indexed_version: exampleDocument.version,
  freshness: "current",
  updated_at: 1794700000000,
  score: 0.2876820724517809,
  explanation: {
    model: "bm25",
    k1: 1.2,
    b: 0.75,
    field: "content",
    length: 4,
    average_length: 4,
    n: 1,
    boost: 1,
    terms: [
      {
        term: "installer",
        indexed: "installer",
        kind: "term",
        tf: 1,
        df: 1,
        idf: 0.2876820724517809,
        length_norm: 1,
        contribution: 0.2876820724517809,
      },
    ],
  },
};
