import { Type } from "typebox";
import { named, nullable, object, oneOf } from "../../../http/schemas.ts";

export const BlockDifference = named(
  "BlockDifference",
  object({
    block_id: Type.String(),
    change_type: oneOf(["added", "removed", "modified", "moved"]),
    excerpt: Type.String(),
    old_position: nullable(Type.Integer()),
    new_position: nullable(Type.Integer()),
    old_block_id: nullable(Type.String({ description: "The earlier id, if the block was recognised by its content." })),
    words: nullable(
      Type.Array(object({ kind: oneOf(["same", "added", "removed", "omitted"]), text: Type.String() }), {
        description: "The changes in the text of a modified block, with some context.",
      }),
    ),
  }),
);
