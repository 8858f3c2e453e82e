import { type Static, Type } from "typebox";
import { documentTypes, exampleDocument } from "../../domain/library/documents/schema.ts";
import { propertyFilters } from "../../domain/library/properties/schema.ts";
import { cursor, flag, integerId, limit, named, nullable, object, oneOf, time } from "../../http/schemas.ts";

const q = Type.String({
  description: 'Words, `"a phrase"`, `prefix*`, `-not`; everything else is text. At most 512 characters and 32 terms.',
});

export const SearchQuery = propertyFilters({
  q,
  mode: Type.Optional(
    oneOf(["topk", "exhaustive"], "Best first (default), or every hit exactly once in the order of the index."),
  ),
  match: Type.Optional(
    oneOf(
      ["best", "all"],
      "`best` (default with `topk`): a hit has at least one of the words, in any form; quoted words only as written. Phrases, prefixes and exclusions stay conditions. `all` (default with `exhaustive`): all words as written in one block or in the title.",
    ),
  ),
  group_by: Type.Optional(
    oneOf(["document"], "Documents with their best three hits instead of hits. With `match=best` and `mode=topk`."),
  ),
  in: Type.Optional(
    oneOf(
      ["documents", "comments"],
      "`comments`: comments that have all the words in them, the newest first, without regard to `mode`.",
    ),
  ),
  type: Type.Optional(
    oneOf(
      ["document", "file", "source", "all"],
      "`document` (default): pages. `file`: the text and names of files. `source`: sources; there are none yet. `all`: everything; with `topk` by score, with `exhaustive` documents first.",
    ),
  ),
  knowledge_base_id: Type.Optional(integerId()),
  folder_id: Type.Optional(integerId("That folder and the folders below it.")),
  document_id: Type.Optional(Type.String({ maxLength: 64, description: "Only this document." })),
  document_type: Type.Optional(oneOf(documentTypes)),
  partial: flag("Another name for `match=best`."),
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
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: "20 by default; with `group_by=document` 10." }),
  ),
  cursor: cursor(),
});
export type SearchInput = Static<typeof SearchQuery>;

export const SimpleSearchQuery = object({ q, limit: limit(20), cursor: cursor() });

const TermExplanation = object({
  term: Type.String({ description: "As typed." }),
  indexed: Type.String({ description: "As looked up." }),
  kind: oneOf(["term", "phrase", "prefix"]),
  field: oneOf(
    ["content", "title", "heading", "section"],
    "The block itself, its document's title, its heading path, or its whole section.",
  ),
  weight: Type.Number({ description: "The factor of the field." }),
  presence: Type.Number({ description: "Counts once for each word that is in the block, its headings or its title." }),
  tf: Type.Integer({
    description: "Occurrences in the field; 1 for headings, the title above a block, and the section.",
  }),
  df: Type.Integer({ description: "Blocks of the workspace that have it." }),
  idf: Type.Number({ description: "ln(1 + (n - df + 0.5) / (df + 0.5))" }),
  length_norm: Type.Number({
    description: "1 - b + b · length / average_length; 1 for headings, titles above a block, and sections",
  }),
  contribution: Type.Number({
    description: "boost · idf · (weight · tf · (k1 + 1) / (tf + k1 · length_norm) + presence)",
  }),
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
    boost: Type.Number({
      description:
        "2 for titles with `match=all`. With `best`: the best text of a section takes over the score of a better heading or code there, which follows it.",
    }),
    terms: Type.Array(TermExplanation, { description: "Their contributions add up to the score." }),
  }),
);

export const HitSummary = object({
  text: Type.String(),
  generator: oneOf(["deterministic", "model", "manual"]),
  freshness: oneOf(["current", "stale"]),
});

const place = {
  document_id: Type.String(),
  title: Type.String(),
  knowledge_base_id: integerId(),
  folder_id: nullable(integerId()),
  document_type: oneOf(documentTypes),
  block_id: nullable(Type.String({ description: "null for a hit in the title." })),
  document_uri: Type.String(),
  path_text: Type.String(),
  heading_path: Type.Array(Type.String()),
  attachment_id: Type.Optional(
    Type.String({ description: "The file that has the hit; `document_id` is the document that holds it." }),
  ),
  file_name: Type.Optional(Type.String()),
  page: Type.Optional(nullable(Type.Integer({ description: "From 1; null for a hit in the file's name." }))),
  comment_id: Type.Optional(Type.String({ description: "With `in=comments`; so is `thread_id`." })),
  thread_id: Type.Optional(Type.String()),
  matched_in: oneOf(["content", "title", "comment", "file", "file_name"]),
  context: object(
    { before: Type.String(), match: Type.String(), after: Type.String() },
    { description: "One after the other they are a verbatim part of the block's text." },
  ),
  missing: Type.Array(Type.String(), {
    description: "Words of the query that are neither in the block nor in its headings or title.",
  }),
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
};

const SearchPlace = named("SearchPlace", object(place));

export const SearchHit = named(
  "SearchHit",
  object({
    ...place,
    hit_count: Type.Optional(Type.Integer({ description: "With `group_by=document`: all hits of the document." })),
    hits: Type.Optional(
      Type.Array(SearchPlace, {
        description: "With `group_by=document`: its best three. The item itself is the first.",
      }),
    ),
  }),
);

export const HitCounts = named(
  "SearchHitCounts",
  object(
    {
      total: Type.Integer(),
      all_words: Type.Integer({ description: "Hits that have all the words themselves." }),
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
  missing: [],
  source_version: exampleDocument.version,
  indexed_version: exampleDocument.version,
  freshness: "current",
  updated_at: 1794700000000,
  score: 0.4602913159228494,
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
        field: "content",
        weight: 1,
        presence: 0.6,
        tf: 1,
        df: 1,
        idf: 0.2876820724517809,
        length_norm: 1,
        contribution: 0.4602913159228494,
      },
    ],
  },
};
