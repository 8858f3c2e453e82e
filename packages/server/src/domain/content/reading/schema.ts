import { Type } from "typebox";
import { cursor, named, nullable, object, oneOf } from "../../../http/schemas.ts";

const views = ["markdown", "tiptap-json", "plain-text", "outline"] as const;
export type ReadView = (typeof views)[number];

const outlineItem = {
  type: "object",
  required: ["block_id", "level", "text", "slug", "position", "range", "children"],
  properties: {
    block_id: { type: "string" },
    level: { type: "integer", minimum: 1, maximum: 6 },
    text: { type: "string" },
    slug: { type: "string" },
    position: { type: "integer" },
    range: {
      type: "object",
      required: ["start_block_id", "end_block_id", "block_count"],
      properties: {
        start_block_id: { type: "string" },
        end_block_id: { type: "string" },
        block_count: { type: "integer" },
      },
    },
    children: { type: "array", items: { $ref: "#/components/schemas/OutlineItem" } },
  },
};

export const OutlineItem = Type.Unsafe<unknown>({
  type: "object",
  "x-component": "OutlineItem",
  "x-described": outlineItem,
});

export const Outline = named("Outline", object({ version: Type.String(), items: Type.Array(OutlineItem) }));

export const ReadQuery = object({
  around: Type.Optional(Type.String({ maxLength: 64, description: "Grow the window from this block to both sides." })),
  from: Type.Optional(Type.String({ maxLength: 64, description: "Begin with this block, or the one that holds it." })),
  section: Type.Optional(Type.String({ maxLength: 64, description: "Only the section of this heading block." })),
  max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 200_000, default: 4000 })),
  view: Type.Optional(oneOf(views, "`markdown` (default). `outline` gives the headings only.")),
  cursor: cursor(),
  locale: Type.Optional(Type.String({ maxLength: 100, description: "The language version to read, with fallback." })),
});

const ReadItem = named(
  "ReadItem",
  object({
    block_id: Type.String(),
    type: Type.String(),
    heading_path: Type.Array(Type.String()),
    tokens: Type.Integer(),
    content: Type.Union([Type.String(), Type.Object({}, { additionalProperties: true })], {
      description: "Text, or for `tiptap-json` the node.",
    }),
  }),
);

export const Reading = named(
  "Reading",
  object({
    items: Type.Array(ReadItem),
    next_cursor: nullable(Type.String()),
    budget_exceeded: Type.Boolean(),
    used_tokens: Type.Integer(),
    version: Type.String(),
    requested_locale: nullable(Type.String()),
    resolved_locale: nullable(Type.String()),
    fallback_used: Type.Boolean(),
  }),
);
