import { Type } from "typebox";
import { BodyContent } from "../../../bodies/parsing/schema.ts";
import { cursor, integerId, limit, named, nullable, object, oneOf, plainText, time } from "../../../http/schemas.ts";
import { Operation } from "../../content/blocks/schema.ts";
import { exampleWritten, NodeSchema } from "../../content/content/schema.ts";
import { Author, exampleAuthor } from "../../identity/authors/author.ts";

export const statuses = ["open", "accepted", "partly_accepted", "rejected", "withdrawn", "stale"] as const;
const MAX_NOTE_CHARACTERS = 5000;

const side = nullable(object({ markdown: Type.String(), text: Type.String() }));

const Change = named(
  "SuggestedChange",
  object({
    id: Type.String({ description: "Within the suggestion." }),
    block_id: Type.String(),
    change_type: oneOf(["added", "removed", "modified", "moved"]),
    before: side,
    after: side,
    state: oneOf(
      ["open", "accepted", "rejected", "conflict"],
      "`conflict`: its block has changed in another way since; it is accepted only with a person's own wording.",
    ),
  }),
);

export const Suggestion = named(
  "Suggestion",
  object({
    id: Type.String(),
    document_id: Type.String(),
    base_version: Type.String(),
    status: oneOf(
      statuses,
      "`open` until every change is decided. `stale`: its base is no longer kept and nothing of it can be made.",
    ),
    author: Author,
    note: Type.String(),
    changes: Type.Array(Change),
    created_at: time(),
    updated_at: time(),
    decided_at: nullable(time()),
    decided_by: nullable(Type.String()),
    decision_reason: nullable(Type.String()),
    version: Type.String({ description: "The ETag." }),
  }),
);

const proposal = {
  base_version: Type.Optional(plainText(200, "Required: the ETag of the body that was read.")),
  note: Type.Optional(plainText(MAX_NOTE_CHARACTERS, "Why, for whoever decides.")),
};

/** Operations as in a batch, or content as in a write of the body. */
export const NewSuggestion = Type.Union([
  object({ operations: Type.Array(Operation, { minItems: 1, maxItems: 100 }), ...proposal }),
  object({ content: BodyContent, ...proposal }),
]);

const changeIds = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    minItems: 1,
    maxItems: 10_000,
    uniqueItems: true,
    description: "Only these changes; all that are not decided when left out.",
  }),
);

const wording = { change_id: Type.String({ minLength: 1, maxLength: 64 }) };

export const Acceptance = object({
  change_ids: changeIds,
  edits: Type.Optional(
    Type.Array(
      Type.Union([object({ ...wording, markdown: plainText(1_000_000) }), object({ ...wording, node: NodeSchema })]),
      {
        maxItems: 1000,
        description:
          "The text to use instead of the proposed one, each change named once. These changes are accepted beside those of `change_ids`; without `change_ids` all others that are not decided are accepted too.",
      },
    ),
  ),
});

export const Rejection = object({
  change_ids: changeIds,
  reason: Type.Optional(plainText(MAX_NOTE_CHARACTERS)),
});

export const SuggestionParams = Type.Object({ id: plainText(64) });
const status = Type.Optional(oneOf(statuses));

export const DocumentSuggestionsQuery = object({ status, limit: limit(), cursor: cursor() });
export const InboxQuery = object({
  status,
  author: Type.Optional(Type.String({ maxLength: 64, description: "Id of a user or of a token." })),
  knowledge_base_id: Type.Optional(integerId()),
  limit: limit(),
  cursor: cursor(),
});

export const exampleSuggestion = {
  id: "sug_01K9ZQ4T6N4Y3V7J8W2M5R1XCB",
  document_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
  base_version: exampleWritten.version,
  status: "open",
  author: exampleAuthor,
  note: "The meeting moved.",
  changes: [
    {
      id: "chg_1",
      block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM",
      change_type: "modified",
      before: { markdown: "Every **Friday**.", text: "Every Friday." },
      after: { markdown: "Every **Monday**.", text: "Every Monday." },
      state: "open",
    },
  ],
  created_at: 1794700000000,
  updated_at: 1794700000000,
  decided_at: null,
  decided_by: null,
  decision_reason: null,
  version: exampleWritten.version,
} as const;
