import { Type } from "typebox";
import { flag, named, nullable, object, oneOf } from "../../../http/schemas.ts";

const formats = ["tiptap-json", "markdown", "html"] as const;
export type Format = (typeof formats)[number];

const ContentWarning = named(
  "ContentWarning",
  object({
    code: Type.String(),
    block_id: nullable(Type.String()),
    node_type: Type.String(),
    message: Type.String(),
  }),
);

/** For a suggestion made from Markdown with front matter. */
export const LeftOut = Type.Optional(
  Type.Array(ContentWarning, {
    description: "`properties_left_out`: the properties of the front matter, for a suggestion holds blocks only.",
  }),
);

const nodeDescription = {
  type: "object",
  description: "A Tiptap node. `attrs.id` is the block id; attributes that the schema does not know are kept as sent.",
  required: ["type"],
  properties: {
    type: { type: "string" },
    attrs: { type: "object", additionalProperties: true },
    content: { type: "array", items: { $ref: "#/components/schemas/Node" } },
    marks: {
      type: "array",
      items: {
        type: "object",
        required: ["type"],
        properties: { type: { type: "string" }, attrs: { type: "object", additionalProperties: true } },
      },
    },
    text: { type: "string" },
  },
};

/** One node. Its content is validated node by node; an error has the path of the first invalid one. */
export const NodeSchema = Type.Unsafe<unknown>({
  type: "object",
  "x-component": "Node",
  "x-described": nodeDescription,
});

export const Content = named(
  "Content",
  object({
    format: oneOf(formats),
    document: Type.Optional(
      Type.Unsafe<unknown>({
        type: "object",
        "x-described": {
          type: "object",
          description: "With `tiptap-json`.",
          properties: {
            type: { const: "doc" },
            content: { type: "array", items: { $ref: "#/components/schemas/Node" } },
          },
        },
      }),
    ),
    content: Type.Optional(Type.String({ description: "With `markdown` and `html`." })),
    file_addresses: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          "As JSON with `front_matter`: by an address in the Markdown, how the file that it came from writes it.",
      }),
    ),
    version: Type.String(),
    warnings: Type.Array(ContentWarning),
  }),
);

export const formatQuery = {
  format: Type.Optional(oneOf(formats, "`tiptap-json` (default) is lossless.")),
  annotate: Type.Optional(oneOf(["anchors"], "With `format=markdown`: an anchor comment before each top-level block.")),
};

/** Query parameter of a write that can become a suggestion. */
export const mode = () =>
  Type.Optional(
    oneOf(
      ["write", "suggest"],
      "`suggest` keeps the change for people to decide and answers 202 with `suggestion_id`; so does every write of a token that may only suggest. A suggestion holds blocks only: properties in front matter are left out, and named in `warnings`.",
    ),
  );

export const dryRun = () => flag("Answer what would happen, and store nothing.");

export const Written = named(
  "Written",
  object({
    version: Type.String(),
    changed_block_ids: Type.Array(Type.String(), { description: "Added, changed, moved and removed blocks." }),
    merged: Type.Optional(
      Type.Literal(true, {
        description:
          "The write named no version, and was merged word by word with what somebody typed there in the last minute: read the result.",
      }),
    ),
    warnings: Type.Optional(
      Type.Array(ContentWarning, {
        description:
          "Markdown kept as written because no node expresses it; for a suggested write, front matter that was left out.",
      }),
    ),
  }),
);

export const exampleWritten = {
  version: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  changed_block_ids: ["block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM"],
};

/** The response to a write that is stored as a suggestion. */
export const suggested = {
  status: 202,
  description:
    "Kept as a suggestion: `mode=suggest`, a token that may only suggest, or a write without `If-Match` that would have changed or removed words that somebody typed in the last minute.",
  data: object({
    suggestion_id: nullable(Type.String({ description: "Null with `dry_run`: nothing is kept." })),
    version: Type.String({ description: "The body's, which stays as it is." }),
    changed_block_ids: Type.Array(Type.String(), { description: "Blocks that change when all of it is accepted." }),
    warnings: LeftOut,
  }),
  example: { suggestion_id: "sug_01K9ZQ4T6N4Y3V7J8W2M5R1XCB", ...exampleWritten },
} as const;
