import type { Viewer as ShownViewer } from "@svc/web/page";
import { hashSecret } from "../http/callers/authenticate.ts";
import { listMemberships } from "../resources/accounts/queries.ts";
import { findSession, updateLastSeen } from "../resources/sessions/queries.ts";
import { loadRights } from "../rights/load-rights.ts";
import type { Rights } from "../rights/rights.ts";
import type { Services } from "../services.ts";
import { pagePicture } from "./page-picture.ts";

const SEEN_EVERY_MS = 60_000;

/** The person behind a session cookie, in one of their workspaces. */
export interface Viewer extends ShownViewer {
  readonly userId: string;
  readonly sessionId: string;
  readonly sessionHash: string;
  /** When they last proved in this session who they are; 0 for never. */
  readonly provenAt: number;
  /** The session stands in another workspace: another tab has gone there since the page was shown that asks now. */
  readonly isElsewhere: boolean;
  /** Where knowledge bases differ for them; undefined: their role counts in all of them. */
  readonly rights: Rights | undefined;
}

interface Asking {
  readonly address?: string | undefined;
  /** Whether it is asked in this workspace of theirs, wherever the session stands by now. */
  readonly isAskedIn?: ((sessionHash: string, workspaceId: string) => boolean) | undefined;
}

/** Looks the session up on every request, so that ending it anywhere counts at once. */
export async function findViewer(
  { database, config }: Pick<Services, "database" | "config">,
  cookie: string | undefined,
  { address, isAskedIn }: Asking = {},
): Promise<Viewer | undefined> {
  if (cookie === undefined) return undefined;
  const now = Date.now();
  const sessionHash = hashSecret(cookie);
  const session = await findSession(database.read, sessionHash, config, now);
  if (!session) return undefined;
  const workspaces = await listMemberships(database.read, session.user_id);
  const workspace =
    workspaces.find(({ id }) => isAskedIn?.(sessionHash, id)) ??
    workspaces.find(({ id }) => id === session.workspace_id) ??
    workspaces[0];
  if (!workspace) return undefined;
  const from = address ?? session.last_address;
  if (now - session.last_seen_at > SEEN_EVERY_MS || from !== session.last_address)
    await database.transaction((tx) => updateLastSeen(tx, session.id, from, now));
  const { id: sessionId, user_id: userId, name, email, proven_at } = session;
  const picture = pagePicture(userId, session.picture);
  const { id: workspaceId, role, rights_version: rightsVersion } = workspace;
  const rights = await loadRights(database.read, { workspaceId, userId, role, rightsVersion, boundTo: null });
  const provenAt = proven_at ?? 0;
  const isElsewhere = workspaceId !== session.workspace_id;
  return { sessionId, sessionHash, provenAt, isElsewhere, userId, name, email, picture, workspace, workspaces, rights };
}
