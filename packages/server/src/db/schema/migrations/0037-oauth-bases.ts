import type { Migration } from "../migration.ts";

/** The knowledge bases that a person lets a program into, until its code becomes a token. */
export const oauthBases: Migration = async ({ schema }) => {
  await schema.alterTable("oauth_codes").addColumn("knowledge_base_ids", "text").execute();
};
