import { Type } from "typebox";
import { named, nullable, object } from "../../../http/schemas.ts";
import { exampleWritten, NodeSchema } from "../content/schema.ts";

export const Block = named(
  "Block",
  object({
    id: Type.String(),
    type: Type.String(),
    parent_id: nullable(Type.String()),
    position: Type.Integer({ description: "Index among its siblings, from 0." }),
    depth: Type.Integer({ description: "0 at the top level." }),
    node: NodeSchema,
    text: Type.String(),
    markdown: Type.Optional(Type.String({ description: "With `format=markdown`." })),
    version: Type.String({ description: "The document's." }),
  }),
);

const positions = {
  document_start: { const: true },
  document_end: { const: true },
  before_block_id: { type: "string", minLength: 1 },
  after_block_id: { type: "string", minLength: 1 },
  parent_block_id: { type: "string", minLength: 1, description: "As the last child of that container." },
  after_heading: {
    type: "string",
    minLength: 1,
    description: "After the first top-level heading with this text, or else the first that contains it.",
  },
};

export const Position = Type.Unsafe<unknown>({
  type: "object",
  "x-component": "Position",
  "x-described": {
    description: "Exactly one of six ways to name a place.",
    oneOf: Object.entries(positions).map(([name, value]) => ({
      type: "object",
      required: [name],
      properties: { [name]: value },
      additionalProperties: false,
    })),
  },
});

export const HeadingTaken = named(
  "HeadingTaken",
  object(
    { block_id: Type.String(), text: Type.String() },
    { description: "The heading that `after_heading` meant: it may contain more than the text that was sent." },
  ),
);

export const NewBlocks = object({
  position: Position,
  nodes: Type.Array(NodeSchema, { minItems: 1, maxItems: 10_000 }),
});

export const BlockChange = object(
  {
    node: Type.Optional(NodeSchema),
    attrs: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: "object",
        description: "Merged into the block's own; its id stays.",
      }),
    ),
    content: Type.Optional(Type.Array(NodeSchema, { description: "Takes the place of the children." })),
  },
  { description: "Exactly one of the three." },
);

const operation = (op: string, required: string[], properties: Record<string, unknown>) => ({
  type: "object",
  required: ["op", ...required],
  properties: { op: { const: op }, ...properties },
  additionalProperties: false,
});
const text = { type: "string" };
const block_id = { ...text, minLength: 1 };
const position = { $ref: "#/components/schemas/Position" };
const node = { $ref: "#/components/schemas/Node" };

const section = { ...text, minLength: 1, description: "Only in the section of this heading: its text, or a block id." };

export const Operation = Type.Unsafe<unknown>({
  type: "object",
  "x-component": "Operation",
  "x-described": {
    oneOf: [
      operation("insert", ["position", "nodes"], { position, nodes: { type: "array", items: node, minItems: 1 } }),
      operation("delete", ["block_id"], { block_id }),
      operation("replace", ["block_id", "node"], { block_id, node }),
      operation("move", ["block_id", "position"], { block_id, position }),
      operation("set_attrs", ["block_id", "attrs"], { block_id, attrs: { type: "object" } }),
      operation("replace_text", ["old", "new"], {
        block_id,
        old: { ...text, minLength: 1 },
        new: text,
        expected_count: { type: "integer" },
      }),
      operation("edit_markdown", ["old", "new"], {
        old: {
          ...text,
          minLength: 1,
          description: "A stretch of the body's Markdown, white space included; it may run over several blocks.",
        },
        new: { ...text, description: "Markdown in its place." },
        section,
        occurrence: {
          description: "Which one, from 1, or all of them; left out, the text must occur once.",
          oneOf: [{ type: "integer", minimum: 1 }, { const: "all" }],
        },
      }),
      operation("append_markdown", ["markdown"], { markdown: { ...text, minLength: 1 }, section }),
    ],
  },
});

export const Batch = object({
  base_version: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "Or send it in `If-Match`." })),
  operations: Type.Array(Operation, { minItems: 1, maxItems: 100 }),
});

export const BlockParams = Type.Object({ id: Type.String(), blockId: Type.String() });

export const exampleBlock = {
  id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM",
  type: "paragraph",
  parent_id: null,
  position: 0,
  depth: 0,
  node: {
    type: "paragraph",
    attrs: { id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM" },
    content: [{ type: "text", text: "Hello" }],
  },
  text: "Hello",
  version: exampleWritten.version,
};
