import type { Reader } from "../../db/database.ts";
import { OPERATOR } from "../accounts/audit-words.ts";

/** Who works on the command line of the server. */
export const operatorDoer = { type: "user", id: "", name: OPERATOR, agent: false, user_id: "" } as const;

interface Who {
  readonly userId: string;
  readonly tokenId: string | null;
  readonly isAgent: boolean;
}

/** The author of an action, in the shape of the API, from ids alone. */
export async function doerOf(db: Reader, { userId, tokenId, isAgent }: Who) {
  const user = await db.selectFrom("users").select("name").where("id", "=", userId).executeTakeFirst();
  const token =
    tokenId === null
      ? undefined
      : await db.selectFrom("tokens").select("name").where("id", "=", tokenId).executeTakeFirst();
  return {
    type: tokenId === null ? ("user" as const) : ("token" as const),
    id: tokenId ?? userId,
    name: token?.name ?? user?.name ?? "",
    agent: isAgent,
    user_id: userId,
  };
}
