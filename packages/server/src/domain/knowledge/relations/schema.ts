import { Type } from "typebox";
import {
  cursor,
  idInBody,
  integerId,
  limit,
  named,
  nullable,
  object,
  oneOf,
  plainText,
  time,
} from "../../../http/schemas.ts";
import { states } from "./target-states.ts";

const directions = ["outgoing", "incoming", "both"] as const;
export type Direction = (typeof directions)[number];

export const RelationType = named(
  "RelationType",
  object({
    name: Type.String(),
    inverse_label: Type.String({ description: "How it reads from the target's side." }),
    automatic: Type.Boolean({ description: "Made from links in bodies; cannot be stated by hand." }),
    description: Type.String(),
  }),
);

export const Relation = named(
  "Relation",
  object({
    id: Type.String(),
    predicate: Type.String(),
    origin: oneOf(["inline", "manual"]),
    direction: oneOf(["outgoing", "incoming"], "As seen from the document that was asked about."),
    source_document_id: Type.String(),
    source_block_id: Type.String(),
    source_version: Type.String({
      description:
        "Inline: the version of the source's body that its links were last read from. Manual: the source's version when the relation was stated.",
    }),
    target_uri: Type.String(),
    target_document_id: nullable(Type.String({ description: "null for a document set or a concept." })),
    target_block_id: nullable(Type.String()),
    anchor_text: Type.String(),
    created_by: Type.String(),
    created_at: time(),
    state: oneOf(states, "Whether the target is there now, as far as this token can see."),
  }),
);

export const projectionFreshness = oneOf(
  ["current", "stale"],
  "`stale`: some links have not been read from the current bodies yet, so the list may be incomplete.",
);

export const RelationQuery = object({
  direction: Type.Optional(oneOf(directions, "`both` (default) lists a document's relation to itself once.")),
  predicate: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  limit: limit(),
  cursor: cursor(),
});

export const NewRelation = object({
  source_document_id: idInBody(),
  source_block_id: idInBody(),
  target_uri: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: "`svc://doc/{id}`, with `#block={block id}` for a block.",
  }),
  predicate: Type.String({ minLength: 1, maxLength: 64, description: "A registered predicate that is not automatic." }),
  anchor_text: Type.Optional(plainText(1000, "A few words about the relation.")),
});

export const RelationParams = Type.Object({ id: plainText(64) });

const reports = ["dangling", "unlinked", "most_linked"] as const;

export const LinkReportQuery = object({
  report: Type.Optional(oneOf(reports, "`dangling` by default.")),
  limit: limit(),
  cursor: cursor(),
});

const documentFields = { document_id: Type.String(), title: Type.String() };

/** One line of a report; its fields depend on the report. */
export const LinkReportItem = named(
  "LinkReportItem",
  object({
    ...documentFields,
    incoming_count: Type.Optional(Type.Integer({ description: "Relations from other documents; not for `dangling`." })),
    relation: Type.Optional(Relation),
  }),
);

export const KnowledgeBaseParams = Type.Object({ id: integerId() });

export const exampleRelation = {
  id: "rel_01K9ZQ4T6N4Y3V7J8W2M5R1XCL",
  predicate: "supports",
  origin: "manual",
  direction: "outgoing",
  source_document_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
  source_block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM",
  source_version: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  target_uri: "svc://doc/doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCN#block=block_01K9ZQ4T6N4Y3V7J8W2M5R1XCP",
  target_document_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCN",
  target_block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCP",
  anchor_text: "the measurements of May",
  created_by: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD",
  created_at: 1794700000000,
  state: "ok",
} as const;
