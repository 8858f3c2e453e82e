import { textsOf } from "@svc/document/properties/read-properties";
import type { Reader } from "../../../db/database.ts";
import { readJson } from "../../../db/schema/json-text.ts";
import { getFrontMatter } from "./queries.ts";

/** A document's properties for people: each name with the text of its value, or of the members of a list. */
export async function readPropertyTexts(
  db: Reader,
  workspaceId: string,
  id: string,
): Promise<(readonly [name: string, values: readonly string[]])[]> {
  const { properties } = await getFrontMatter(db, workspaceId, id);
  return Object.entries(readJson(properties)).map(([name, value]) => [name, textsOf(value)]);
}
