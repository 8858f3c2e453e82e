import { folderPage } from "@svc/web/server/pages/library/browse";
import { homePage } from "@svc/web/server/pages/library/home";
import type { FolderStep } from "@svc/web/shared/page";
import type { Reader } from "../../../db/database.ts";
import { listDocuments } from "../../../domain/library/documents/page-queries.ts";
import { getFolder } from "../../../domain/library/folders/queries.ts";
import { getKnowledgeBase } from "../../../domain/library/knowledge-bases/queries.ts";
import { byName } from "../../../domain/library/order/natural-order.ts";
import { listFolderChildren, listTopLevel } from "../../../domain/library/tree/list-children.ts";
import { readWatch } from "../discussion/watch.ts";
import { readSummaryOf } from "../document/about.ts";
import { readFolderShare } from "../document/share.ts";
import { placeItem } from "../document/subpages.ts";
import {
  canWrite,
  canWriteIn,
  get,
  goTo,
  idFrom,
  type MemberVisit,
  numberFrom,
  type Outcome,
  post,
  show,
} from "../visit.ts";
import { lastAuthorsOf, listBases } from "./browse-queries.ts";
import { readAgentWork, readFavourites, readWaiting } from "./desk.ts";
import { foldersTo } from "./folder-steps.ts";

const PAGE = 100;
const BASES = 200;
const RECENT = 10;
const MAX_TEMPLATES = 50;

async function showHome(visit: MemberVisit, wrong?: string): Promise<Outcome> {
  const db = visit.app.database.read;
  const { id } = visit.viewer.workspace;
  const now = Date.now();
  const [all, recent, waiting, agents, favourites] = await Promise.all([
    listBases(db, id),
    listDocuments(db, id, { includeVariants: true }, "updated_at", [], RECENT),
    readWaiting(visit),
    readAgentWork(visit, now),
    readFavourites(visit),
  ]);
  const bases = all.sort(byName((base) => base.name));
  const from = Number.parseInt(visit.query.get("from") ?? "", 10) || 0;
  const names = new Map(bases.map((base) => [base.id, base.name]));
  const authors = await lastAuthorsOf(
    db,
    id,
    recent.map((row) => row.id),
  );
  return show(
    homePage({
      formToken: visit.formToken,
      workspaceName: visit.viewer.workspace.name,
      canWrite: canWrite(visit),
      bases: bases.slice(from, from + BASES).map(({ id, name, document_count }) => ({
        id,
        name,
        documents: document_count,
        canWrite: canWriteIn(visit, id),
      })),
      next: bases.length > from + BASES ? `${visit.path}?from=${from + BASES}` : undefined,
      waiting,
      agents,
      favourites,
      recent: recent.map((row) => ({
        id: row.id,
        title: row.title,
        type: row.document_type,
        updatedAt: row.updated_at,
        by: authors.get(row.id),
        place: names.get(row.knowledge_base_id),
      })),
      now,
      wrong,
    }),
    wrong ? 422 : 200,
  );
}

interface Location {
  readonly knowledgeBase: { readonly id: number; readonly name: string };
  readonly folders: readonly FolderStep[];
}

async function showLocation(visit: MemberVisit, location: Location): Promise<Outcome> {
  const folderId = location.folders.at(-1)?.id ?? null;
  const cursor = visit.query.get("cursor") ?? undefined;
  const { knowledgeBase } = location;
  const isWriter = canWriteIn(visit, knowledgeBase.id);
  const subject =
    folderId === null
      ? ({ kind: "knowledge_base", id: knowledgeBase.id } as const)
      : ({ kind: "folder", id: folderId } as const);
  const [{ data, page }, summary, templates, share, watch] = await Promise.all([
    readChildren(visit, knowledgeBase.id, folderId, cursor),
    cursor === undefined ? readSummaryOf(visit, subject.kind, subject.id) : undefined,
    isWriter ? readTemplates(visit, knowledgeBase.id) : [],
    readSharing(visit, location),
    readWatch(visit, subject),
  ]);
  const ids = data.flatMap((item) => (item.type === "folder" ? [] : item.id));
  const authors = await lastAuthorsOf(visit.app.database.read, visit.viewer.workspace.id, ids);
  return show(
    folderPage({
      knowledgeBase,
      folders: location.folders,
      items: data.map((item) => placeItem(item, authors)),
      summary,
      templates,
      canWrite: isWriter,
      share,
      formToken: visit.formToken,
      watch,
      next: page.next_cursor === null ? undefined : `${visit.path}?cursor=${encodeURIComponent(page.next_cursor)}`,
      now: Date.now(),
    }),
  );
}

function readSharing(visit: MemberVisit, { knowledgeBase, folders }: Location) {
  const folder = folders.at(-1);
  const above = { knowledgeBaseId: knowledgeBase.id, folders: folders.slice(0, -1) };
  return folder && readFolderShare(visit, above, folder.id);
}

/** A page of the direct children of a folder or of the top level, in tree order. */
async function readChildren(visit: MemberVisit, baseId: number, folderId: number | null, cursor: string | undefined) {
  const { app, viewer } = visit;
  const { read } = app.database;
  const query = { limit: PAGE, ...(cursor && { cursor }) };
  const answer = await (folderId === null
    ? listTopLevel(app, read, viewer.workspace.id, baseId, query)
    : listFolderChildren(app, read, viewer.workspace.id, folderId, query));
  return answer.envelope;
}

/** The templates for a new page, those of this knowledge base first. */
async function readTemplates({ app, viewer }: MemberVisit, baseId: number) {
  const filter = { isTemplate: true, includeVariants: false };
  const data = await listDocuments(app.database.read, viewer.workspace.id, filter, "updated_at", [], MAX_TEMPLATES);
  const isNear = ({ knowledge_base_id }: (typeof data)[number]) => knowledge_base_id === baseId;
  return [...data.filter(isNear), ...data.filter((item) => !isNear(item))].map(({ id, title }) => ({ id, title }));
}

const baseOf = async (db: Reader, workspaceId: string, id: number) => {
  const { name } = await getKnowledgeBase(db, workspaceId, id);
  return { id, name };
};

const defaultNames = { document: "Untitled", spreadsheet: "Untitled spreadsheet", folder: "New folder" };

/** Creates a page, spreadsheet or folder and opens it so that its name can be typed at once. */
async function makeIn(visit: MemberVisit, knowledge_base_id: number, folder_id: number | null): Promise<Outcome> {
  const kind = visit.form.get("kind");
  const template = visit.form.get("template");
  if (template) {
    const path = { id: idFrom(template, "document") };
    const { data } = await visit.api.post("/documents/{id}/copy", { path, body: { knowledge_base_id, folder_id } });
    return goTo(`/documents/${data.id}/edit?rename=1`);
  }
  if (kind === "folder") {
    const body = { name: defaultNames.folder, knowledge_base_id, parent_id: folder_id };
    const { data } = await visit.api.post("/folders", { body });
    return goTo(`/folders/${data.id}?rename=1`);
  }
  const document_type = kind === "spreadsheet" ? "spreadsheet" : "document";
  const body = { title: defaultNames[document_type], document_type, knowledge_base_id, folder_id } as const;
  const { data } = await visit.api.post("/documents", { body });
  return goTo(`/documents/${data.id}/edit?rename=1`);
}

export const browsePages = [
  post("/knowledge-bases/:id/new", (visit) => makeIn(visit, numberFrom(visit.params.id, "knowledge_base"), null)),
  post("/folders/:id/new", async (visit) => {
    const id = numberFrom(visit.params.id, "folder");
    const folder = await getFolder(visit.app.database.read, visit.viewer.workspace.id, id);
    return makeIn(visit, folder.knowledge_base_id, id);
  }),
  get("/knowledge-bases", (visit) => showHome(visit)),
  post("/knowledge-bases", async (visit) => {
    const name = visit.form.get("name") ?? "";
    if (!/^[^\p{Cc}\u2028\u2029]{1,500}$/u.test(name.trim()))
      return showHome(visit, "A name has 1 to 500 characters and no control characters.");
    const made = await visit.api.post("/knowledge-bases", { body: { name } });
    return goTo(`/knowledge-bases/${made.data.id}`, "base-made");
  }),
  get("/knowledge-bases/:id", async (visit) => {
    const db = visit.app.database.read;
    const id = numberFrom(visit.params.id, "knowledge_base");
    return showLocation(visit, { knowledgeBase: await baseOf(db, visit.viewer.workspace.id, id), folders: [] });
  }),
  get("/folders/:id", async (visit) => {
    const db = visit.app.database.read;
    const workspaceId = visit.viewer.workspace.id;
    const folder = await getFolder(db, workspaceId, numberFrom(visit.params.id, "folder"));
    const folders = await foldersTo(db, folder);
    const page = folders.at(-1)?.page;
    if (page) return goTo(`/documents/${page}`);
    return showLocation(visit, { knowledgeBase: await baseOf(db, workspaceId, folder.knowledge_base_id), folders });
  }),
];
