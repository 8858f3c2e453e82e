import type { Reader } from "../../db/database.ts";

interface Who {
  readonly userId: string;
  readonly tokenId: string | null;
  readonly isAgent: boolean;
}

/** Who did something, as authors are told; for what is known by ids alone. */
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
