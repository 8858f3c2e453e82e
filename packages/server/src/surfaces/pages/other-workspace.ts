import { listMemberships } from "../../domain/identity/accounts/queries.ts";
import { updateSessionWorkspace } from "../../domain/identity/sessions/queries.ts";
import { getDocument } from "../../domain/library/documents/queries.ts";
import { getFolder } from "../../domain/library/folders/queries.ts";
import { getKnowledgeBase } from "../../domain/library/knowledge-bases/queries.ts";
import { loadRights } from "../../rights/load-rights.ts";
import { servicesFor } from "../../rights/restricted-services.ts";
import type { Services } from "../../services.ts";
import type { Viewer } from "./viewer.ts";
import { goTo, type Visit } from "./visit.ts";

type Membership = Awaited<ReturnType<typeof listMemberships>>[number];

/** The query parameter that names the workspace, see `pathIn`. */
const WORKSPACE = "workspace";

/** A page about one document, folder or knowledge base: its kind and id. */
const ADDRESS = /^\/(documents|folders|knowledge-bases)\/([\w]{1,64})(?:\/|$)/;

/** Finds the person's other workspace that contains the address's subject; undefined if none does. */
export async function findElsewhere(services: Services, viewer: Viewer, path: string): Promise<string | undefined> {
  const [, kind, id] = ADDRESS.exec(path) ?? [];
  if (!kind || !id || viewer.workspaces.length < 2) return undefined;
  for (const workspace of await listMemberships(services.database.read, viewer.userId))
    if (workspace.id !== viewer.workspace.id && (await isIn(services, viewer.userId, workspace, kind, id)))
      return workspace.id;
  return undefined;
}

/** Switches the session to that workspace and redirects to the same address. */
export async function goElsewhere(
  { path, query }: Visit,
  services: Pick<Services, "database">,
  viewer: Viewer,
  workspaceId: string,
) {
  await services.database.transaction((tx) => updateSessionWorkspace(tx, viewer.sessionId, workspaceId));
  const rest = new URLSearchParams(query);
  rest.delete(WORKSPACE);
  return goTo(rest.size > 0 ? `${path}?${rest}` : path, "other-workspace");
}

/** The other workspace that a link names because every workspace has such a page. */
export function askedElsewhere({ viewer, query }: Visit): string | undefined {
  const asked = query.get(WORKSPACE);
  const isOther = asked !== viewer?.workspace.id && viewer?.workspaces.some(({ id }) => id === asked);
  return isOther ? (asked ?? undefined) : undefined;
}

/** Whether the person could see it there. */
async function isIn(
  services: Services,
  userId: string,
  { id: workspaceId, role, rights_version: rightsVersion }: Membership,
  kind: string,
  id: string,
): Promise<boolean> {
  const who = { workspaceId, userId, role, rightsVersion, boundTo: null };
  const { read } = servicesFor(services, await loadRights(services.database.read, who)).database;
  const look = {
    documents: () => getDocument(read, workspaceId, id),
    folders: () => getFolder(read, workspaceId, Number(id)),
    "knowledge-bases": () => getKnowledgeBase(read, workspaceId, Number(id)),
  }[kind];
  if (kind !== "documents" && !/^[1-9]\d{0,14}$/.test(id)) return false;
  return (await look?.().catch(() => undefined)) !== undefined;
}
