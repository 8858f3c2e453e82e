import type { Client } from "@svc/sdk";
import { ambiguous } from "./find-knowledge-base.ts";

const SHORT_ID = /^[0-9A-HJKMNP-TV-Z]{8}$/;
const SHORT_VERSION = /^(?:sha256:)?([0-9a-f]{8,63})$/;

/** The last characters of an id, as answers for agents show it. */
export const isShortId = (text: string): boolean => SHORT_ID.test(text);

/** An id as tables show it, and as commands take it. JSON has it whole. */
export const shortId = (id: string): string => id.slice(-8);

/** Completes the last characters of an id for resources without a name. Passes everything else on; the server reports errors. */
export async function wholeId(client: Client, kind: "comment" | "suggestion", given: string): Promise<string> {
  if (!isShortId(given)) return given;
  const { data } = await client.get("/ids", { query: { kind, id_ends: given } });
  if (data.length > 1)
    throw ambiguous(
      given,
      data.map(({ id }) => id),
    );
  return data[0]?.id ?? given;
}

/** A document's version that is named by the first digits of its hash. Whatever else is given stays as it is. */
export async function wholeVersion(client: Client, id: string, given: string): Promise<string> {
  const digits = SHORT_VERSION.exec(given)?.[1];
  if (digits === undefined) return given;
  const { version } = (await client.get("/documents/{id}", { path: { id } })).data;
  return version.startsWith(`sha256:${digits}`) ? version : given;
}

/** A block of a document that is named by the last characters of its id. Whatever else is given stays as it is. */
export async function wholeBlockId(client: Client, id: string, given: string): Promise<string> {
  if (!isShortId(given)) return given;
  const query = { id_ends: given, recursive: true, limit: 2 };
  const { data } = await client.get("/documents/{id}/blocks", { path: { id }, query });
  return data.length === 1 && data[0] ? data[0].id : given;
}
