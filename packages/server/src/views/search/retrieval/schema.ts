import { type Static, Type } from "typebox";
import { exampleDocument } from "../../../domain/library/documents/schema.ts";
import { named, object, oneOf } from "../../../http/schemas.ts";

const operators = [
  "contains",
  "not contains",
  "start with",
  "end with",
  "is",
  "is not",
  "in",
  "not in",
  "empty",
  "not empty",
  "=",
  "≠",
  ">",
  "<",
  "≥",
  "≤",
  "before",
  "after",
] as const;
export type Operator = (typeof operators)[number];

const Value = Type.Union([Type.String(), Type.Number(), Type.Array(Type.String(), { maxItems: 100 })]);
const Name = Type.String({ maxLength: 200 });

const Condition = object({
  name: Type.Union([Name, Type.Array(Name, { maxItems: 20 })], {
    description: "A member of the metadata; of several the first that the page has.",
  }),
  comparison_operator: oneOf(operators),
  value: Type.Optional(Type.Union([Value, Type.Null()])),
});
export type Condition = Static<typeof Condition>;

/** The request of Dify's external knowledge API. Further members are ignored, because its clients add some. */
export const RetrievalRequest = Type.Object(
  {
    knowledge_id: Type.String({
      maxLength: 64,
      description: "The id of a knowledge base, such as `7` or `svc://kb/7`; `all` is everything the token sees.",
    }),
    query: Type.String({
      maxLength: 4096,
      description: "The first 512 characters count.",
    }),
    retrieval_setting: Type.Object(
      {
        top_k: Type.Integer({ minimum: 1, description: "At most 100 are returned." }),
        score_threshold: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()])),
      },
      { additionalProperties: true },
    ),
    metadata_condition: Type.Optional(
      Type.Union([
        object({
          logical_operator: Type.Optional(oneOf(["and", "or"])),
          conditions: Type.Optional(Type.Union([Type.Array(Condition, { maxItems: 20 }), Type.Null()])),
        }),
        Type.Null(),
      ]),
    ),
  },
  { additionalProperties: true },
);
export type RetrievalRequest = Static<typeof RetrievalRequest>;

export const RetrievalRecord = named(
  "RetrievalRecord",
  object({
    content: Type.String(),
    score: Type.Number({ minimum: 0, maximum: 1 }),
    title: Type.String(),
    metadata: Type.Object({}, { additionalProperties: true }),
  }),
);
export type RetrievalRecord = Static<typeof RetrievalRecord>;

export const exampleRecord: RetrievalRecord = {
  content: "Run the installer once.",
  score: 0.82,
  title: "Getting started",
  metadata: { document_id: exampleDocument.id, path: "Handbook / Getting started", heading_path: ["Installation"] },
};
