import { type Client, listAll } from "@svc/sdk";
import { isShortId } from "../short.ts";
import { oneLine } from "../text.ts";
import { fold } from "./fold.ts";
import { oneOf } from "./one-of.ts";

const FILE_ID = /\batt_[0-9A-HJKMNP-TV-Z]{26}/;

/** The file of a document that a text means: its id, Markdown or an address with it, the end of the id, or its name. */
export async function findFile(client: Client, documentId: string | undefined, text: string): Promise<string> {
  const id = FILE_ID.exec(text)?.[0];
  if (id !== undefined || documentId === undefined) return id ?? text;
  const path = { id: documentId };
  const files = await Array.fromAsync(listAll(client, "/documents/{id}/attachments", { path, query: { limit: 100 } }));
  const given = text.trim();
  const found = files.filter(
    (file) => fold(file.file_name) === fold(text) || (isShortId(given) && file.id.endsWith(given)),
  );
  return oneOf("file", text, found, files, (file) => `${oneLine(file.file_name)} (${file.id})`).id;
}
