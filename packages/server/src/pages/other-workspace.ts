import { listMemberships } from "../resources/accounts/queries.ts";
import { getDocument } from "../resources/documents/queries.ts";
import { getFolder } from "../resources/folders/queries.ts";
import { getKnowledgeBase } from "../resources/knowledge-bases/queries.ts";
import { updateSessionWorkspace } from "../resources/sessions/queries.ts";
import { loadRights } from "../rights/load-rights.ts";
import { servicesFor } from "../rights/restricted-services.ts";
import type { Services } from "../services.ts";
import type { Viewer } from "./viewer.ts";
import { goTo, type Visit } from "./visit.ts";

type Membership = Awaited<ReturnType<typeof listMemberships>>[number];

/** The field of an address that names the workspace, see `pathIn`. */
const WORKSPACE = "workspace";

/** A page about one thing: its kind and its id. */
const ADDRESS = /^\/(documents|folders|knowledge-bases)\/([\w]{1,64})(?:\/|$)/;

/** The other workspace of the person in which the thing stands that an address names; undefined when none has it. */
export async function findElsewhere(services: Services, viewer: Viewer, path: string): Promise<string | undefined> {
  const [, kind, id] = ADDRESS.exec(path) ?? [];
  if (!kind || !id || viewer.workspaces.length < 2) return undefined;
  for (const workspace of await listMemberships(services.database.read, viewer.userId))
    if (workspace.id !== viewer.workspace.id && (await isIn(services, viewer.userId, workspace, kind, id)))
      return workspace.id;
  return undefined;
}

/** The session goes there, and the person to the same address again. */
export async function goElsewhere({ path, query }: Visit, services: Services, viewer: Viewer, workspaceId: string) {
  await services.database.transaction((tx) => updateSessionWorkspace(tx, viewer.sessionId, workspaceId));
  const rest = new URLSearchParams(query);
  rest.delete(WORKSPACE);
  return goTo(rest.size > 0 ? `${path}?${rest}` : path, "other-workspace");
}

/** The other workspace of the person that a link names because its page is one of every workspace. */
export function askedElsewhere({ viewer, query }: Visit): string | undefined {
  const asked = query.get(WORKSPACE);
  const isOther = asked !== viewer?.workspace.id && viewer?.workspaces.some(({ id }) => id === asked);
  return isOther ? (asked ?? undefined) : undefined;
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
