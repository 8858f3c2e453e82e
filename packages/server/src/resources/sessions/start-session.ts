import type { Tx } from "../../db/database.ts";
import { hashSecret } from "../../http/authenticate.ts";
import { newId, newSecret } from "../../ids.ts";
import { DAY_MS } from "../../time.ts";
import { insertMembership, insertWorkspace, listMemberships } from "../accounts/queries.ts";
import { insertSession } from "./queries.ts";

export const SESSION_DAYS = 30;

interface Person {
  readonly id: string;
  readonly name: string;
}

interface OpenedWorkspace {
  readonly id: string;
  readonly made?: string;
}

interface StartedSession {
  /** For the cookie; known only now. */
  readonly secret: string;
  readonly workspaceId: string;
  /** The name of a workspace that had to be made for it. */
  readonly madeWorkspace?: string | undefined;
}

/** Begins a session in the given workspace, or in the person's first. */
export async function startSession(
  tx: Tx,
  user: Person,
  userAgent: string,
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
    expires_at: now + SESSION_DAYS * DAY_MS,
    last_seen_at: now,
  });
  return { secret, workspaceId: workspace.id, madeWorkspace: workspace.made };
}

/** Someone who was removed from every workspace gets one of their own, rather than a closed door. */
async function firstWorkspace(tx: Tx, user: Person, now: number): Promise<OpenedWorkspace> {
  const [first] = await listMemberships(tx, user.id);
  if (first) return { id: first.id };
  const id = newId("ws");
  const name = `${user.name}'s workspace`.slice(0, 500);
  await insertWorkspace(tx, { id, name, created_at: now });
  await insertMembership(tx, { workspace_id: id, user_id: user.id, role: "owner", created_at: now });
  return { id, made: name };
}
