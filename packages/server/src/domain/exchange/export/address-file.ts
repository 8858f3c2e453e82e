import type { Reader } from "../../../db/database.ts";
import { readFileAddresses } from "../../library/file-addresses/queries.ts";

export const addressPath = (documentId: string): string => `file-addresses/${documentId}.json`;

/** The address style of the file that a document came from, as JSON; undefined if unknown. */
export async function addressText(db: Reader, workspaceId: string, documentId: string): Promise<string | undefined> {
  const addresses = await readFileAddresses(db, { workspaceId, documentId });
  return addresses === "{}" ? undefined : `${addresses}\n`;
}
