import type { Tx } from "../../../db/database.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import { newId, newSecret } from "../../../ids.ts";
import { DAY_MS } from "../../../time.ts";
import { insertMembership, insertWorkspace, listMemberships } from "../accounts/queries.ts";
import { insertSession } from "./queries.ts";

interface Person {
  readonly id: string;
  readonly name: string;
}

/** The workspace and lifetime of a new session. */
export interface SessionOptions {
  readonly userAgent: string;
  readonly address: string;
  /** SVC_SESSION_MAX_DAYS. */
  readonly maxDays: number;
}

interface OpenedWorkspace {
  readonly id: string;
  readonly made?: string;
}

interface StartedSession {
  /** The value for the cookie, available only now. */
  readonly secret: string;
  readonly workspaceId: string;
  /** The name of the workspace, if one had to be created. */
  readonly madeWorkspace?: string | undefined;
}

/** Starts a session for a person who has just authenticated, in the given workspace or in their first. */
export async function startSession(
  tx: Tx,
  user: Person,
  { userAgent, address, maxDays }: SessionOptions,
  workspaceId?: string,
): Promise<StartedSession> {
  const secret = newSecret();
  const now = Date.now();
  const workspace: OpenedWorkspace =
    workspaceId === undefined ? await firstWorkspace(tx, user, now) : { id: workspaceId };
  await insertSession(tx, {
    id: newId("sess"),
    token_hash: hashSecret(secret),
    user_id: user.id,
    workspace_id: workspace.id,
    user_agent: userAgent,
    created_at: now,
    expires_at: now + maxDays * DAY_MS,
    last_seen_at: now,
    last_address: address,
    proven_at: now,
  });
  return { secret, workspaceId: workspace.id, madeWorkspace: workspace.made };
}

/** A person who was removed from every workspace gets a new one of their own. */
async function firstWorkspace(tx: Tx, user: Person, now: number): Promise<OpenedWorkspace> {
  const [first] = await listMemberships(tx, user.id);
  if (first) return { id: first.id };
  const id = newId("ws");
  const name = `${user.name}'s workspace`.slice(0, 500);
  await insertWorkspace(tx, { id, name, created_at: now });
  await insertMembership(tx, { workspace_id: id, user_id: user.id, role: "owner", created_at: now });
  return { id, made: name };
}
