import type { Tx } from "../../db/database.ts";
import { hashSecret } from "../../http/authenticate.ts";
import { newId, newSecret } from "../../ids.ts";
import { insertMembership, insertWorkspace, listMemberships } from "../accounts/queries.ts";
import { insertSession } from "./queries.ts";

export const SESSION_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Person {
  readonly id: string;
  readonly name: string;
}

/** Begins a session in the given workspace, or in the person's first, and tells the secret for their cookie. */
export async function startSession(tx: Tx, user: Person, userAgent: string, workspaceId?: string): Promise<string> {
  const secret = newSecret();
  const now = Date.now();
  await insertSession(tx, {
    id: newId("sess"),
    token_hash: hashSecret(secret),
    user_id: user.id,
    workspace_id: workspaceId ?? (await firstWorkspace(tx, user, now)),
    user_agent: userAgent,
    created_at: now,
    expires_at: now + SESSION_DAYS * DAY_MS,
    last_seen_at: now,
  });
  return secret;
}

/** Someone who was removed from every workspace gets one of their own, rather than a closed door. */
async function firstWorkspace(tx: Tx, user: Person, now: number): Promise<string> {
  const [first] = await listMemberships(tx, user.id);
  if (first) return first.id;
  const id = newId("ws");
  await insertWorkspace(tx, { id, name: `${user.name}'s workspace`.slice(0, 500), created_at: now });
  await insertMembership(tx, { workspace_id: id, user_id: user.id, role: "owner", created_at: now });
  return id;
}
