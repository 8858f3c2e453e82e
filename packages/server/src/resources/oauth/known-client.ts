import type { Database } from "../../db/database.ts";
import type { OAuthClientRow } from "../../db/schema/tables/oauth.ts";
import { readClientMetadata } from "./client-metadata.ts";
import { OAuthError } from "./oauth-error.ts";
import { findClient, putClient } from "./queries.ts";

const FRESH_MS = 60 * 60 * 1000;
const USABLE_MS = 24 * FRESH_MS;

/** Fetches the description that stands at an address; throws where it cannot. */
export type FetchDescription = (url: string) => Promise<unknown>;

/** A program as a person is asked about it. */
export interface KnownClient {
  readonly id: string;
  readonly name: string;
  readonly uri: string | null;
  readonly redirectUris: readonly string[];
  /** Whose site describes the program, where its id is an address there; null for one that registered. */
  readonly site: string | null;
}

export const isDescriptionAddress = (clientId: string): boolean => /^https?:\/\//i.test(clientId);

const toClient = (row: OAuthClientRow): KnownClient => ({
  id: row.id,
  name: row.name,
  uri: row.uri,
  redirectUris: JSON.parse(row.redirect_uris) as string[],
  site: isDescriptionAddress(row.id) ? new URL(row.id).host : null,
});

/** What is stored of the program, fresh or not; nothing is fetched. */
export async function storedClient(database: Database, clientId: string): Promise<KnownClient | undefined> {
  const row = await findClient(database.read, clientId);
  return row && toClient(row);
}

/** The program, its description fetched where its id is an address and what is stored is old; undefined when unknown. */
export async function findKnownClient(
  database: Database,
  clientId: string,
  fetchDescription: FetchDescription,
): Promise<KnownClient | undefined> {
  const row = await findClient(database.read, clientId);
  if (!isDescriptionAddress(clientId)) return row && toClient(row);
  const age = Math.abs(Date.now() - (row?.fetched_at ?? 0));
  if (row && age < FRESH_MS) return toClient(row);
  try {
    return toClient(await fetchClient(database, clientId, fetchDescription));
  } catch (error) {
    if (row && age < USABLE_MS) return toClient(row);
    throw error;
  }
}

async function fetchClient(
  database: Database,
  clientId: string,
  fetchDescription: FetchDescription,
): Promise<OAuthClientRow> {
  const described = await fetchDescription(clientId);
  const named = (described as { client_id?: unknown } | null)?.client_id;
  if (named !== clientId)
    throw new OAuthError("invalid_client", "The description does not name this address as client_id.");
  const metadata = readClientMetadata(described, new URL(clientId).host);
  const now = Date.now();
  const row = {
    id: clientId,
    name: metadata.name,
    uri: metadata.uri,
    redirect_uris: JSON.stringify(metadata.redirectUris),
    created_at: now,
    used_at: null,
    fetched_at: now,
  };
  await database.transaction((tx) => putClient(tx, row));
  return row;
}
