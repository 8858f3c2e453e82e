import type { Viewer as ShownViewer } from "@svc/web/shared/page";
import { listMemberships } from "../../domain/identity/accounts/queries.ts";
import { findSession, updateLastSeen } from "../../domain/identity/sessions/queries.ts";
import { hashSecret } from "../../http/callers/authenticate.ts";
import { loadRights } from "../../rights/load-rights.ts";
import type { Rights } from "../../rights/rights.ts";
import type { Services } from "../../services.ts";
import { pagePicture } from "./page-picture.ts";

const SEEN_EVERY_MS = 60_000;

/** The person behind a session cookie, in one of their workspaces. */
export interface Viewer extends ShownViewer {
  readonly userId: string;
  readonly sessionId: string;
  readonly sessionHash: string;
  /** When they last proved their identity in this session; 0 for never. */
  readonly provenAt: number;
  /** True if another tab has moved the session to another workspace since the requesting page was shown. */
  readonly isElsewhere: boolean;
  /** Their rights in each knowledge base; undefined if their role is the same in all of them. */
  readonly rights: Rights | undefined;
}

interface ViewerRequest {
  readonly address?: string | undefined;
  /** Whether the request addresses this workspace of theirs, whatever the session's current one is. */
  readonly isRequested?: ((sessionHash: string, workspaceId: string) => boolean) | undefined;
}

/** Reads the session on every request, so that ending it takes effect at once. */
export async function findViewer(
  { database, config }: Pick<Services, "database" | "config">,
  cookie: string | undefined,
  { address, isRequested }: ViewerRequest = {},
): Promise<Viewer | undefined> {
  if (cookie === undefined) return undefined;
  const now = Date.now();
  const sessionHash = hashSecret(cookie);
  const session = await findSession(database.read, sessionHash, config, now);
  if (!session) return undefined;
  const workspaces = await listMemberships(database.read, session.user_id);
  const workspace =
    workspaces.find(({ id }) => isRequested?.(sessionHash, id)) ??
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
