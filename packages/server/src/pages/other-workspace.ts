import { listMemberships } from "../resources/accounts/queries.ts";
import { getDocument } from "../resources/documents/queries.ts";
import { getFolder } from "../resources/folders/queries.ts";
import { getKnowledgeBase } from "../resources/knowledge-bases/queries.ts";
import { updateSessionWorkspace } from "../resources/sessions/queries.ts";
import { loadRights } from "../rights/load-rights.ts";
import { servicesFor } from "../rights/restricted-services.ts";
import type { Services } from "../services.ts";
import { goTo, type Outcome, type Visit } from "./visit.ts";

type Membership = Awaited<ReturnType<typeof listMemberships>>[number];

/** A page about one thing: its kind and its id. */
const ADDRESS = /^\/(documents|folders|knowledge-bases)\/([\w]{1,64})(?:\/|$)/;

/** The way to something that stands in another workspace of the person, where it is opened; undefined if it does not. */
export async function openElsewhere(visit: Visit, services: Services): Promise<Outcome | undefined> {
  const { viewer, path } = visit;
  const [, kind, id] = ADDRESS.exec(path) ?? [];
  if (!viewer || !kind || !id) return undefined;
  const workspaces = viewer.workspaces.length > 1 ? await listMemberships(services.database.read, viewer.userId) : [];
  for (const workspace of workspaces) {
    if (workspace.id === viewer.workspace.id || !(await isIn(services, viewer.userId, workspace, kind, id))) continue;
    await services.database.transaction((tx) => updateSessionWorkspace(tx, viewer.sessionId, workspace.id));
    const query = visit.query.toString();
    return goTo(query ? `${path}?${query}` : path, "other-workspace");
  }
  return undefined;
}

/** Whether the person would see it there. */
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
