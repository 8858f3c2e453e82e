import type { Client } from "@svc/sdk";
import { isShortVersion } from "../short.ts";

const isLatest = (text: string): boolean => /^\s*(?:latest|current|newest|head|now)\s*$/i.test(text);

/** Resolves a version from a full version, its first 8 digits, or a word for the current one, which becomes `*`. */
export async function findVersion(client: Client, documentId: string, text: string): Promise<string> {
  const given = text.trim().replace(/^(?:W\/)?"|"$/g, "");
  if (isLatest(given)) return "*";
  const digits = given.replace(/^sha256:/, "");
  if (!isShortVersion(digits)) return given;
  const { data } = await client.get("/documents/{id}", { path: { id: documentId } });
  if (data.version.startsWith(`sha256:${digits}`)) return data.version;
  const query = { limit: 100 };
  const older = (await client.get("/documents/{id}/versions", { path: { id: documentId }, query })).data;
  const translations = await client.get("/documents/{id}/localizations", { path: { id: documentId } });
  const known = [...older, ...translations.data.variants].map(({ version }) => version);
  return known.find((version) => version.startsWith(`sha256:${digits}`)) ?? given;
}

/** Resolves a version of a concept or candidate in the same way. */
export async function findConceptVersion(client: Client, id: string, text: string): Promise<string> {
  const digits = text.trim().replace(/^sha256:/, "");
  if (isLatest(text)) return "*";
  if (!isShortVersion(digits)) return text;
  const version = id.startsWith("cand_") ? await candidateVersion(client, id) : await conceptVersion(client, id);
  return version?.startsWith(`sha256:${digits}`) ? version : text;
}

const conceptVersion = async (client: Client, id: string): Promise<string> =>
  (await client.get("/concepts/{id}", { path: { id } })).data.version;

const candidateVersion = async (client: Client, id: string): Promise<string | undefined> =>
  (await client.get("/concept-candidates", { query: { id_ends: id.slice(-8) } })).data.find((each) => each.id === id)
    ?.version;
