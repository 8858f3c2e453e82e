import type { Tx } from "../../../db/database.ts";
import { addressSubject } from "../../../http/limits/limit-addresses.ts";
import { newId } from "../../../ids.ts";
import { DAY_MS, HOUR_MS } from "../../../time.ts";
import { takeOfWindow } from "../attempts/take-of-window.ts";
import { type ClientMetadata, readClientMetadata } from "./client-metadata.ts";
import { OAuthError } from "./oauth-error.ts";
import { deleteClientsBefore, putClient } from "./queries.ts";

/** Limit of registrations per address and hour. */
const LIMIT = 20;
const KEPT_UNANSWERED_MS = 7 * DAY_MS;
const KEPT_UNUSED_MS = 365 * DAY_MS;

interface Registered extends ClientMetadata {
  readonly id: string;
  readonly createdAt: number;
}

/** Too many registrations from one address; carries the delay in milliseconds. */
export class TooManyRegistrations extends OAuthError {
  readonly waitMs: number;
  constructor(waitMs: number) {
    super("temporarily_unavailable", `An address may register ${LIMIT} programs in an hour.`, 429);
    this.waitMs = waitMs;
  }
}

/** RFC 7591, open to everybody: a registration holds a name and redirect addresses, and grants no rights. */
export async function registerClient(tx: Tx, given: unknown, address: string): Promise<Registered> {
  const metadata = readClientMetadata(given, "A program without a name");
  const now = Date.now();
  const wait = await takeOfWindow(tx, `register:${addressSubject(address)}`, LIMIT, HOUR_MS, now);
  if (wait > 0) throw new TooManyRegistrations(wait);
  await deleteClientsBefore(tx, now - KEPT_UNANSWERED_MS, now - KEPT_UNUSED_MS);
  const id = newId("client");
  await putClient(tx, {
    id,
    name: metadata.name,
    uri: metadata.uri,
    redirect_uris: JSON.stringify(metadata.redirectUris),
    created_at: now,
    used_at: null,
    fetched_at: null,
    fresh_until: null,
  });
  return { ...metadata, id, createdAt: now };
}
