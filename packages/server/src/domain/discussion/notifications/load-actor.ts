import type { Reader } from "../../../db/database.ts";
import { OPERATOR } from "../../identity/accounts/audit-words.ts";

/** The actor of commands on the server's command line. */
export const operatorActor = { type: "user", id: "", name: OPERATOR, agent: false, user_id: "" } as const;

interface Who {
  readonly userId: string;
  readonly tokenId: string | null;
  readonly isAgent: boolean;
}

/** The actor of an action in the API's form, built from ids. */
export async function loadActor(db: Reader, { userId, tokenId, isAgent }: Who) {
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
