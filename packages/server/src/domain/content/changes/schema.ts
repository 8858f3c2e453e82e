import { Type } from "typebox";
import { idText, named, nullable, object, oneOf } from "../../../http/schemas.ts";

export const ChangesParams = Type.Object({ id: idText("doc") });

export const ChangesQuery = object({
  after: Type.Optional(Type.String({ description: "`cursor` of an answer before, or of one change." })),
});

const position = (missing: string) =>
  nullable(Type.Integer({ minimum: 0, description: `Among the top-level blocks; null when ${missing}.` }));

const BlockChange = named(
  "BlockChange",
  object({
    block_id: Type.String(),
    change_type: oneOf(["added", "removed", "modified", "moved"]),
    excerpt: Type.String({
      description: "The beginning of its text, as it is after the write; as it was when removed.",
    }),
    old_position: position("added"),
    new_position: position("removed"),
    type: nullable(Type.String({ description: "After the write; null when removed." })),
    hash: nullable(Type.String({ description: "After the write; null when removed." })),
    source_version: Type.String({ description: "The version that the write made." }),
    cursor: Type.String({ description: "Resumes right after this change." }),
  }),
);

const BlockManifestEntry = named(
  "BlockManifestEntry",
  object({
    block_id: Type.String(),
    type: Type.String(),
    position: Type.Integer({ minimum: 0 }),
    hash: Type.String({ description: "SHA-256 of the block's canonical JSON." }),
  }),
);

export const Changes = named(
  "Changes",
  object({
    changes: Type.Array(BlockChange),
    manifest: Type.Optional(
      Type.Array(BlockManifestEntry, {
        description: "All top-level blocks, on the first call and with `sync_required`.",
      }),
    ),
    cursor: Type.String({ description: "Send it as `after` next time." }),
    source_version: Type.String({ description: "The version that you have after this answer." }),
    freshness: oneOf(["current", "stale"], "Whether that is the document's version now."),
    complete: Type.Boolean({ description: "False when more changes wait: call again with `cursor`." }),
    sync_required: Type.Boolean({
      description: "The changes since your cursor are no longer kept: begin anew from `manifest`.",
    }),
  }),
);

const version = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
export const exampleChanges = {
  changes: [
    {
      block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
      change_type: "modified",
      excerpt: "The quick brown fox",
      old_position: 3,
      new_position: 3,
      type: "paragraph",
      hash: version,
      source_version: version,
      cursor: "WyJjaGFuZ2VzIl0.kq1xY0mW2y5v7c9d",
    },
  ],
  cursor: "WyJjaGFuZ2VzIl0.kq1xY0mW2y5v7c9d",
  source_version: version,
  freshness: "current",
  complete: true,
  sync_required: false,
};
