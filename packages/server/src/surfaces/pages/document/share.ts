import { type Share, shareLifetimes } from "@svc/web/server/pages/document/share-part";
import type { Named } from "@svc/web/shared/page";
import { findShare, listSharedFolders } from "../../../domain/access/shares/queries.ts";
import { representShare } from "../../../domain/access/shares/schema.ts";
import type { ShareTarget } from "../../../domain/access/shares/target.ts";
import { DAY_MS } from "../../../time.ts";
import { canWriteIn, goTo, idFrom, type MemberVisit, numberFrom, type Outcome, post } from "../visit.ts";

const PATHS = { document: "/documents/{id}/public-share", folder: "/folders/{id}/public-share" } as const;

/** The document or folder to share, with its ancestors from the top down. */
interface Subject {
  readonly knowledgeBaseId: number;
  readonly folders: readonly Named[];
}

type Link = Omit<Share, "site">;

const NOTHING: Link = { url: null, expiresAt: null, hasPassword: false };

/** The link of a document or folder; undefined if the person may not share it. */
async function readFor(visit: MemberVisit, subject: Subject, target: ShareTarget): Promise<Share | undefined> {
  if (!canWriteIn(visit, subject.knowledgeBaseId)) return undefined;
  const { app, viewer, baseUrl } = visit;
  const [site, share] = await Promise.all([
    siteAround(visit, subject.folders),
    findShare(app.database.read, viewer.workspace.id, target),
  ]);
  return { ...(share ? shown(representShare(share, app.secret, baseUrl)) : NOTHING), site };
}

/** The nearest folder around it with a public link. */
async function siteAround({ app, viewer }: MemberVisit, folders: readonly Named[]): Promise<Named | undefined> {
  const ids = folders.map(({ id }) => id);
  const shared = await listSharedFolders(app.database.read, viewer.workspace.id, ids);
  return folders.findLast(({ id }) => shared.has(id));
}

const shown = (data: { url: string; expires_at: number | null; has_password: boolean }): Link => ({
  url: data.url,
  expiresAt: data.expires_at,
  hasPassword: data.has_password,
});

export const readShare = (visit: MemberVisit, subject: Subject, id: string): Promise<Share | undefined> =>
  readFor(visit, subject, { kind: "document", id });

export const readFolderShare = (visit: MemberVisit, subject: Subject, id: number): Promise<Share | undefined> =>
  readFor(visit, subject, { kind: "folder", id });

/** The options from the form; a missing option stays unchanged. */
function wishOf({ form }: MemberVisit): { expires_at?: number | null; password?: string | null } {
  const days = form.get("days") ?? "";
  const password = (form.get("password") ?? "").slice(0, 200);
  return {
    ...(days === "never" && { expires_at: null }),
    ...(shareLifetimes.some((one) => one === days) && { expires_at: Date.now() + Number(days) * DAY_MS }),
    ...(password !== "" && { password }),
    ...(form.get("no_password") === "1" && { password: null }),
  };
}

async function turnOn(visit: MemberVisit, kind: "document" | "folder"): Promise<Outcome> {
  const body = wishOf(visit);
  const { data } =
    kind === "document"
      ? await visit.api.post(PATHS.document, { path: { id: idFrom(visit.params.id, "document") }, body })
      : await visit.api.post(PATHS.folder, { path: { id: numberFrom(visit.params.id, "folder") }, body });
  return goTo(`/${kind}s/${visit.params.id}#share`, data.has_password ? "share-on-password" : "share-on");
}

async function turnOff(visit: MemberVisit, kind: "document" | "folder"): Promise<Outcome> {
  await endShare(visit, kind, visit.params.id);
  return goTo(`/${kind}s/${visit.params.id}#share`, "share-off");
}

/** Ends the link of a document or folder. */
export async function endShare(visit: MemberVisit, kind: "document" | "folder", id: string | null | undefined) {
  if (kind === "document") await visit.api.delete(PATHS.document, { path: { id: idFrom(id, "document") } });
  else await visit.api.delete(PATHS.folder, { path: { id: numberFrom(id, "folder") } });
}

export const sharePages = [
  post("/documents/:id/share", (visit) => turnOn(visit, "document")),
  post("/documents/:id/unshare", (visit) => turnOff(visit, "document")),
  post("/folders/:id/share", (visit) => turnOn(visit, "folder")),
  post("/folders/:id/unshare", (visit) => turnOff(visit, "folder")),
];
