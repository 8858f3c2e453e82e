import { isRecord } from "@svc/document/guards";
import type { Database } from "../../../db/database.ts";
import { readJson } from "../../../db/schema/json-text.ts";
import type { OAuthClientRow } from "../../../db/schema/tables/oauth.ts";
import { readClientMetadata } from "./client-metadata.ts";
import { OAuthError } from "./oauth-error.ts";
import { findClient, putClient } from "./queries.ts";

const FRESH_MS = 60 * 60 * 1000;
const USABLE_MS = 24 * FRESH_MS;

/** Fetches the description at an address; throws if it is unavailable. */
type FetchDescription = (
  url: string,
) => Promise<{ readonly description: unknown; readonly freshMs: number | undefined }>;

/** A program as shown to the person for consent. */
export interface KnownClient {
  readonly id: string;
  readonly name: string;
  readonly uri: string | null;
  readonly redirectUris: readonly string[];
  /** The site that describes the program, if its id is an address there; null for a registered program. */
  readonly site: string | null;
}

export const isDescriptionAddress = (clientId: string): boolean => /^https?:\/\//i.test(clientId);

const toClient = (row: OAuthClientRow): KnownClient => ({
  id: row.id,
  name: row.name,
  uri: row.uri,
  redirectUris: readJson(row.redirect_uris),
  site: isDescriptionAddress(row.id) ? new URL(row.id).host : null,
});

/** The stored data of the program, fresh or not; fetches nothing. */
export async function storedClient(database: Database, clientId: string): Promise<KnownClient | undefined> {
  const row = await findClient(database.read, clientId);
  return row && toClient(row);
}

/**
 * Returns the program; undefined if unknown. If its id is an address and the stored description is old, fetches it
 * first.
 */
export async function findKnownClient(
  database: Database,
  clientId: string,
  fetchDescription: FetchDescription,
): Promise<KnownClient | undefined> {
  const row = await findClient(database.read, clientId);
  if (!isDescriptionAddress(clientId)) return row && toClient(row);
  const age = Math.abs(Date.now() - (row?.fetched_at ?? 0));
  if (row && isFresh(row, age)) return toClient(row);
  try {
    return toClient(await fetchClient(database, clientId, fetchDescription));
  } catch (error) {
    if (row && age < USABLE_MS) return toClient(row);
    throw error;
  }
}

/** Fresh for as long as its site says, at most a day; an hour by default. */
const isFresh = ({ fetched_at, fresh_until }: OAuthClientRow, age: number): boolean =>
  age < (fresh_until === null ? FRESH_MS : Math.min(USABLE_MS, fresh_until - (fetched_at ?? 0)));

async function fetchClient(
  database: Database,
  clientId: string,
  fetchDescription: FetchDescription,
): Promise<OAuthClientRow> {
  const { description, freshMs } = await fetchDescription(clientId);
  const fields = isRecord(description) ? description : undefined;
  if (fields?.client_id !== clientId)
    throw new OAuthError("invalid_client", "The description does not name this address as client_id.");
  if (fields.client_name === undefined) throw new OAuthError("invalid_client", "The description has no client_name.");
  const metadata = readClientMetadata(description, new URL(clientId).host);
  const now = Date.now();
  const row = {
    id: clientId,
    name: metadata.name,
    uri: metadata.uri,
    redirect_uris: JSON.stringify(metadata.redirectUris),
    created_at: now,
    used_at: null,
    fetched_at: now,
    fresh_until: freshMs === undefined ? null : now + freshMs,
  };
  await database.transaction((tx) => putClient(tx, row));
  return row;
}
