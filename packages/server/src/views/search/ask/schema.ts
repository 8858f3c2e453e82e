import { type Static, Type } from "typebox";
import { exampleDocument } from "../../../domain/library/documents/schema.ts";
import { integerId, named, object, oneOf } from "../../../http/schemas.ts";

export const Question = object({
  question: Type.String({ minLength: 1, maxLength: 512 }),
  knowledge_base_ids: Type.Optional(Type.Array(integerId(), { minItems: 1, maxItems: 20 })),
  locale: Type.Optional(Type.String({ maxLength: 100, description: "As in search." })),
  max_citations: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: "5 by default." })),
});
export type Question = Static<typeof Question>;

const Citation = named(
  "AskCitation",
  object({
    n: Type.Integer({ description: "From 1." }),
    document_id: Type.String(),
    block_id: Type.String(),
    version: Type.String({ description: "The version of the document's body." }),
    quote: Type.String({ description: "Word for word from the block in that version." }),
    title: Type.String(),
    heading_path: Type.Array(Type.String()),
    uri: Type.String(),
  }),
);

export const AskAnswer = named(
  "AskAnswer",
  object({
    found: Type.Boolean({ description: "False if no passage has enough of the question's words." }),
    generator: oneOf(["extractive", "model"]),
    answer: Type.Array(object({ text: Type.String(), citations: Type.Array(Type.Integer()) }), {
      description:
        "`extractive`: the best passages word for word, those of one section together, the best first. `model`: its sentences as plain text, each with citations.",
    }),
    citations: Type.Array(Citation),
    model: Type.Optional(Type.String({ description: "With `generator: model`: which one." })),
    warnings: Type.Array(object({ code: Type.String(), message: Type.String() }), {
      description:
        "`citation_removed`, `sentence_removed`: the model's quote does not stand in its passage, or no citation was left. `model_answer_invalid`, `model_answer_unproven`, `model_unavailable`: the answer is extractive instead.",
    }),
  }),
);
export type AskAnswer = Static<typeof AskAnswer>;

const blockId = "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM";

export const exampleAnswer: AskAnswer = {
  found: true,
  generator: "extractive",
  answer: [{ text: "Run the installer once.", citations: [1] }],
  citations: [
    {
      n: 1,
      document_id: exampleDocument.id,
      block_id: blockId,
      version: exampleDocument.version,
      quote: "Run the installer once.",
      title: "Getting started",
      heading_path: ["Installation"],
      uri: `${exampleDocument.uri}#block=${blockId}`,
    },
  ],
  warnings: [],
};
