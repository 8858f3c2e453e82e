import { Type } from "typebox";
import type { AuthorColumns } from "../../../db/schema/tables/discussion.ts";
import type { Actor } from "../../../events/actor.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { named, object, oneOf } from "../../../http/schemas.ts";

export const Author = named(
  "Author",
  object({
    type: oneOf(["user", "token"], "`user`: a person in the browser. `token`: a program."),
    id: Type.String({ description: "Id of the user or of the token." }),
    name: Type.String({ description: "Name of the user or of the token." }),
    agent: Type.Boolean({ description: "The program said that it acts for a language model." }),
    user_id: Type.String({ description: "The person, or the person whose token it is." }),
  }),
);

export const exampleAuthor = {
  type: "token",
  id: "tok_01K9ZQ4T6N4Y3V7J8W2M5R1XCE",
  name: "proofreader",
  agent: true,
  user_id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD",
} as const;

/** The author of a caller's comments and suggestions. Browser sessions have no token. */
export const authorColumns = (caller: Caller, { tokenId, client }: Actor): AuthorColumns => ({
  author_type: tokenId === null ? "user" : "token",
  author_id: tokenId ?? caller.userId,
  author_name: tokenId === null ? caller.userName : caller.tokenName,
  author_agent: client.agent ? 1 : 0,
  user_id: caller.userId,
});

export const authorOf = (row: AuthorColumns) => ({
  type: row.author_type,
  id: row.author_id,
  name: row.author_name,
  agent: row.author_agent === 1,
  user_id: row.user_id,
});
