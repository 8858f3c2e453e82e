import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { messageOf } from "@svc/document/thrown";
import { isApiError } from "@svc/sdk";
import { sameText, withoutAnchors } from "./anchored-text.ts";
import { isOwnTrouble } from "./look.ts";
import { type LocalFile, matchFiles } from "./match-files.ts";
import { directoryOf, folded, freeFile, isConflictFile, nameOf, plainFile, titleOf } from "./names.ts";
import type { Pass } from "./pass.ts";
import { fileNameOf, INDEX, type Remote, type RemoteDocument } from "./remote.ts";
import { addressesIn, createDocument, createFile, moveFile } from "./steps.ts";
import { asRecorded, type DocumentRecord } from "./store.ts";
import {
  carryBody,
  carryRest,
  followMovedPages,
  keepBoth,
  keepNewer,
  mergeBody,
  propertiesIn,
  pullBody,
  pushBody,
  readThere,
  settledWith,
} from "./sync-body.ts";
import { directoryOfFolder, ensureFolder } from "./sync-folders.ts";

/** A run that would remove more than this, and more than half of all, asks first. */
const MANY_DELETIONS = 10;

/** Most documents have lost their file, or most files their document, which is probably a mistake. */
export class TooManyDeletions extends Error {
  override readonly name = "TooManyDeletions";
  readonly count: number;

  constructor(count: number, of: number) {
    super(`This would delete ${count} of ${of} documents.`);
    this.count = count;
  }
}

export async function syncDocuments(pass: Pass, allowDeletions: boolean): Promise<void> {
  const { store, remote } = pass;
  const { files, fresh } = await findFiles(pass);
  if (!allowDeletions) guardDeletions([...store.documents.keys()], files, remote);
  const places = new Map([...fresh.keys()].map((path) => [folded(path), path]));
  for (const { id, path } of store.documents.values()) pass.settle(id, files.get(id)?.path ?? path);
  for (const document of remote.documents.values()) if (!store.documents.has(document.id)) plan(pass, document, places);
  for (const { id, path } of [...store.documents.values()])
    await pass.attempt(path, () =>
      syncKnown(pass, defined(store.documents.get(id)), files.get(id), remote.documents.get(id)),
    );
  for (const document of remote.documents.values())
    if (!store.documents.has(document.id))
      await pass.attempt(document.title, () => takeDocument(pass, document, fresh, places));
  for (const file of fresh.values()) await pass.attempt(file.path, () => pushFile(pass, file));
  for (const record of [...store.documents.values()])
    if (pass.sent.has(record.id) || mayHaveMore(record))
      await pass.attempt(record.path, () => carryRest(pass, defined(store.documents.get(record.id))));
  for (const record of [...pass.store.documents.values()])
    await pass.attempt(record.path, () => followMovedPages(pass, record));
  tellOtherFiles(pass);
}

/**
 * Matches files with documents. Some programs empty or remove a file before they save it, so an empty or missing file
 * counts only if it is still empty or missing a moment later.
 */
async function findFiles(pass: Pass) {
  const look = async () => matchFiles(pass.store.documents.values(), await readFiles(pass));
  const found = await look();
  const isDoubtful = ({ id, base }: DocumentRecord) => {
    const text = found.files.get(id)?.text;
    return base !== "" && (text === undefined || text === "") && pass.remote.documents.has(id);
  };
  if (!pass.store.documents.values().some(isDoubtful)) return found;
  await sleep(pass.lookAgainMs, undefined, { signal: pass.signal }).catch(() => pass.signal?.throwIfAborted());
  pass.see(await pass.disk.scan());
  return look();
}

/** Files that no document shows or links to have no owner; after a text was sent, they are reported once. */
function tellOtherFiles(pass: Pass): void {
  const { scan, store, sent } = pass;
  if (sent.size === 0) return;
  const carried = new Set([...store.documents.values()].flatMap(({ carried: own }) => Object.keys(own?.files ?? {})));
  const known = new Set([...scan.files, ...scan.links, ...scan.directories.keys(), ...carried]);
  const isHidden = (path: string) => path.split("/").some((step) => step.startsWith("."));
  const others = scan.entries.filter((path) => !known.has(path) && !isHidden(path) && !isConflictFile(path));
  const shown = others.slice(0, SHOWN).join(", ") + (others.length > SHOWN ? " …" : "");
  if (others.length > 0) pass.leave(".", `Files that no page links to stay in this folder alone: ${shown}`);
}

const SHOWN = 5;

/** Whether a document has files, which may have changed, or links or files that were missing. */
const mayHaveMore = ({ carried }: DocumentRecord): boolean =>
  carried !== undefined && (carried.waiting || Object.keys(carried.files).length > 0);

/** Makes a new `index.md` the index page of its folder; its title is then the folder's name. */
async function makeIndex(pass: Pass, { id, path, folder_id }: DocumentRecord) {
  if (folder_id === null || titleOf(path).toLowerCase() !== INDEX) return undefined;
  const to = { path: { id: folder_id }, signal: pass.signal };
  const { data: folder } = await pass.client.get("/folders/{id}", to);
  if (folder.index_document_id !== null) return undefined;
  await pass.client.patch("/folders/{id}", { ...to, body: { index_document_id: id, name: folder.name } });
  return { title: folder.name, file_name: INDEX };
}

/** Reserves the file of a new document, so that links to it can be written before the file exists. */
function plan(pass: Pass, document: RemoteDocument, places: ReadonlyMap<string, string>): void {
  const { id, title, folder_id } = document;
  const directory = folder_id === null ? "" : pass.store.folders.get(folder_id)?.path;
  if (directory === undefined) return;
  const name = fileNameOf(document) ?? title;
  const here = places.get(folded(plainFile(directory, name)));
  const isFree = here !== undefined && pass.documentAt(here) === undefined;
  const path = isFree ? here : freeFile(directory, name, pass.isTaken);
  pass.take(path);
  pass.settle(id, path);
}

async function readFiles(pass: Pass): Promise<LocalFile[]> {
  const locals: LocalFile[] = [];
  for (const path of pass.scan.files) {
    const text = await readFile(pass, path);
    if (text !== undefined) locals.push({ path, text });
  }
  for (const { path } of pass.store.documents.values()) if (pass.isClosed(path)) locals.push({ path, text: null });
  return locals;
}

/** Reads a file. If it is not text, reports a problem of this file only and returns null. */
async function readFile(pass: Pass, path: string): Promise<string | null | undefined> {
  try {
    const text = await pass.disk.read(path);
    if (text === null) pass.problem(path, "This file is not UTF-8 text, and is left alone.");
    return text;
  } catch (error) {
    if (!isOwnTrouble(error)) throw error;
    pass.problem(path, messageOf(error));
    return null;
  }
}

function guardDeletions(
  ids: readonly string[],
  files: ReadonlyMap<string, LocalFile>,
  { documents, isPutBack }: Remote,
): void {
  const isGone = (id: string) => (documents.has(id) ? !files.has(id) : files.has(id) && !isPutBack);
  const gone = ids.filter(isGone).length;
  if (gone > MANY_DELETIONS && gone > ids.length / 2) throw new TooManyDeletions(gone, ids.length);
}

async function syncKnown(
  pass: Pass,
  known: DocumentRecord,
  file: LocalFile | undefined,
  remote: RemoteDocument | undefined,
): Promise<void> {
  if (!remote) return file ? removeFile(pass, known, file) : pass.store.forgetDocument(known.id);
  if (!file) return removeDocument(pass, known, remote);
  if (file.text === null) return;
  const record = { ...known, ...asRecorded(remote.document_type) };
  // Records of earlier versions do not have this field.
  if (record.document_type !== known.document_type) await pass.store.saveDocument(record);
  const placed = await syncPlace(pass, record, file, remote);
  const [text, version] = [file.text, remote.version ?? record.version];
  const changedHere = text !== placed.base;
  const otherProperties =
    remote.properties !== undefined && placed.properties !== undefined && remote.properties !== placed.properties;
  const changedThere = version !== placed.version || otherProperties || !placed.settled;
  const hasMoved = placed.carried !== undefined && directoryOf(placed.path) !== directoryOf(file.path);
  if (pass.remote.isPutBack && version !== placed.version) await keepNewer(pass, placed, text);
  else if (!changedHere && (changedThere || hasMoved)) await pullBody(pass, placed, text, hasMoved);
  else if (changedHere && changedThere) await mergeBody(pass, placed, text);
  else if (changedHere) await pushBody(pass, placed, text);
}

/** Synchronises name and folder. If both sides have moved the document, the service's path wins. */
async function syncPlace(
  pass: Pass,
  record: DocumentRecord,
  file: LocalFile,
  remote: RemoteDocument,
): Promise<DocumentRecord> {
  const { title, folder_id } = remote;
  const file_name = fileNameOf(remote, record.file_name);
  if (title !== record.title || folder_id !== record.folder_id || file_name !== (record.file_name ?? null)) {
    const path = placeFor(pass, record, file.path, file_name ?? title, folder_id);
    const moved = { ...record, path, title, folder_id, file_name };
    if (path === file.path) await pass.store.saveDocument(moved);
    else {
      await moveFile(pass, file.path, moved);
      pass.free(file.path);
      pass.take(path);
      pass.settle(record.id, path);
      pass.moved.add(record.id);
      pass.did("move_file", path);
    }
    return moved;
  }
  if (file.path === record.path) return record;
  const renamed = nameOf(file.path) !== nameOf(record.path);
  const name = renamed && (file_name === null ? { title: titleOf(file.path) } : { file_name: titleOf(file.path) });
  const body = { ...name, folder_id: await ensureFolder(pass, directoryOf(file.path)) };
  const { data } = await pass.client.patch("/documents/{id}", { path: { id: record.id }, body, signal: pass.signal });
  const place = { title: data.title, file_name: data.file_name, folder_id: data.folder_id };
  const moved = { ...record, path: file.path, ...place };
  await pass.store.saveDocument(moved);
  pass.did("move_document", file.path);
  return moved;
}

/** Returns the path for a document's file; its current path counts as free. */
function placeFor(pass: Pass, record: DocumentRecord, current: string, name: string, folder_id: number | null): string {
  const directory = directoryOfFolder(pass, folder_id);
  if (name === (record.file_name ?? record.title) && directoryOf(current) === directory) return current;
  if (current === plainFile(directory, name)) return current;
  return freeFile(directory, name, (path) => folded(path) !== folded(current) && pass.isTaken(path));
}

/**
 * Handles a deleted document. Removes an unchanged file; creates a new document from a changed file, and from any file
 * that a service restored from a backup no longer has.
 */
async function removeFile(pass: Pass, record: DocumentRecord, file: LocalFile): Promise<void> {
  if (file.text === null) return;
  if (file.text === record.base && !pass.remote.isPutBack) {
    await pass.disk.remove(file.path, record.base);
    await pass.store.forgetDocument(record.id);
    pass.free(file.path);
    return pass.did("delete_file", file.path);
  }
  await pass.store.forgetDocument(record.id);
  await pushFile(pass, file, record.document_type);
}

/** Handles a deleted file. Moves an unchanged document to the trash; writes the file of a changed one again. */
async function removeDocument(pass: Pass, record: DocumentRecord, remote: RemoteDocument): Promise<void> {
  const { id } = record;
  try {
    const { data: now } = await pass.client.get("/documents/{id}", { path: { id }, signal: pass.signal });
    if (now.version === record.version && now.title === record.title && now.folder_id === record.folder_id) {
      await pass.client.delete("/documents/{id}", { path: { id }, signal: pass.signal });
      pass.did("delete_document", record.path);
      return await pass.store.forgetDocument(id);
    }
  } catch (error) {
    if (isApiError(error, "not_found")) return pass.store.forgetDocument(id);
    if (!isApiError(error) || error.status !== 409) throw error;
    pass.problem(record.path, `${error.message} The file is put back.`);
  }
  await pass.store.forgetDocument(id);
  pass.free(record.path);
  plan(pass, remote, new Map());
  await takeDocument(pass, remote);
}

/** Adds a new document of the service. A file already at its path becomes its file if both texts are equal. */
async function takeDocument(
  pass: Pass,
  remote: RemoteDocument,
  fresh: Map<string, LocalFile> = new Map(),
  places: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  directoryOfFolder(pass, remote.folder_id);
  const { id, title, folder_id } = remote;
  const file_name = fileNameOf(remote);
  const path = defined(pass.pathOf(id));
  const there = await readThere(pass, id);
  const { version } = there;
  const here = fresh.get(places.get(folded(path)) ?? "");
  const type = asRecorded(remote.document_type);
  const place = { id, path, title, file_name, folder_id, ...type, version, base: "", settled: true };
  if (here && here.text !== null) {
    fresh.delete(here.path);
    const { text: said, carried } = await pass.carrier.toDocument({ id, path }, here.text, "compare");
    if (sameText(said, there.there))
      return pass.store.saveDocument(settledWith(place, { text: here.text, version, carried }));
    return keepBoth(pass, settledWith(place, await carryBody(pass, { id, path }, there)), here.text);
  }
  await createFile(pass, settledWith(place, await carryBody(pass, { id, path }, there)));
  pass.did("create_file", path);
}

/** Creates a document from a new file, which stays unchanged. Leaves out anchors, which belong to another document. */
async function pushFile(
  pass: Pass,
  { path, text }: LocalFile,
  document_type?: DocumentRecord["document_type"],
): Promise<void> {
  if (text === null) return;
  const title = titleOf(path);
  if (title === "") return pass.problem(path, "A file needs a name before .md, which becomes the title.");
  const folder_id = await ensureFolder(pass, directoryOf(path));
  const { text: said, carried, addresses } = await pass.carrier.toDocument({ id: undefined, path }, text, "send");
  const content = { format: "markdown", content: withoutAnchors(said), ...addressesIn(addresses) } as const;
  const type = document_type && { document_type };
  const body = { title, knowledge_base_id: pass.knowledgeBase, folder_id, ...type, content };
  const record = await createDocument(pass, path, text, body, carried);
  pass.settle(record.id, path);
  pass.sent.add(record.id);
  const saved = { ...record, ...(await makeIndex(pass, record)), properties: propertiesIn(text) ?? "{}" };
  await pass.store.saveDocument(saved);
  pass.did("create_document", path);
}
