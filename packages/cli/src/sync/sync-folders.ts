import { defined } from "@svc/document/defined";
import { isApiError } from "@svc/sdk";
import { ChangedMeanwhile } from "./disk.ts";
import { directoryOf, folded, freeDirectory, isMarkdown, join, nameOf, safeName } from "./names.ts";
import type { Pass } from "./pass.ts";
import type { RemoteFolder } from "./remote.ts";
import { createDirectory, createFolder } from "./steps.ts";
import type { FolderRecord } from "./store.ts";

/** Folders that one side has removed, to be removed on the other once the documents in them have been dealt with. */
interface Leftovers {
  /** Directories whose folder is gone. */
  readonly directories: string[];
  /** Folders whose directory is gone. */
  readonly folders: number[];
}

/** Brings known folders to where they have been moved to, and makes the new ones of the service. */
export async function syncFolders(pass: Pass): Promise<Leftovers> {
  const leftovers: Leftovers = { directories: [], folders: [] };
  await followRenames(pass);
  for (const record of [...pass.store.folders.values()].sort(byDepth)) {
    const remote = pass.remote.folders.get(record.id);
    const isHere = pass.scan.directories.has(record.path) || pass.isClosed(record.path);
    if (!remote) {
      await pass.store.forgetFolder(record.id);
      if (isHere) leftovers.directories.push(record.path);
    } else if (!isHere) leftovers.folders.push(record.id);
  }
  for (const remote of topDown(pass.remote.folders))
    await pass.attempt(remote.name, () => syncFolder(pass, remote, leftovers));
  return leftovers;
}

/** A directory that was renamed here is known by its number; everything below it is then found at its new place. */
async function followRenames(pass: Pass): Promise<void> {
  const { store, scan } = pass;
  const known = new Set([...store.folders.values()].map(({ path }) => path));
  const strangers = new Map(
    [...scan.directories].filter(([path]) => !known.has(path)).map(([path, inode]) => [inode, path]),
  );
  for (const { id } of [...store.folders.values()].sort(byDepth)) {
    const record = defined(store.folders.get(id));
    const path =
      record.inode === undefined || scan.directories.has(record.path) ? undefined : strangers.get(record.inode);
    if (path === undefined) continue;
    await pass.attempt(path, () => sendCase(pass, record, path));
    await store.moveRecords(record.path, path);
  }
}

/**
 * A new name that differs in its case alone, which no comparison of names sees afterwards: on some file systems it is the
 * same one. Where the service has renamed the folder too, its name counts.
 */
async function sendCase(pass: Pass, record: FolderRecord, path: string) {
  const { client, store, remote, signal } = pass;
  const { id } = record;
  const there = remote.folders.get(id);
  const name = nameFrom(path);
  if (there?.name !== record.name || nameOf(path) === nameOf(record.path)) return;
  if (name === record.name || folded(name) !== folded(record.name)) return;
  const { data } = await client.patch("/folders/{id}", { path: { id }, body: { name }, signal });
  remote.folders.set(id, { ...there, name: data.name });
  await store.saveFolder({ ...record, name: data.name });
  pass.did("move_folder", path);
}

async function syncFolder(pass: Pass, remote: RemoteFolder, leftovers: Leftovers): Promise<void> {
  const record = pass.store.folders.get(remote.id);
  const parent = directoryOfFolder(pass, remote.parent_id);
  if (!record) return takeFolder(pass, remote, parent);
  if (leftovers.folders.includes(remote.id) || pass.isClosed(record.path)) return;
  const inode = pass.scan.directories.get(record.path);
  const movedThere = remote.name !== record.name || remote.parent_id !== record.parent_id;
  const known = { ...record, name: remote.name, parent_id: remote.parent_id, inode };
  if (movedThere) await moveDirectory(pass, known, parent, record.name);
  else if (isMovedHere(pass, record)) await moveFolder(pass, record);
  else if (inode !== record.inode) await pass.store.saveFolder(known);
}

/** Whether the directory stands or is called otherwise than the record says that the folder does. */
function isMovedHere(pass: Pass, { path, parent_id, name }: FolderRecord): boolean {
  const parent = folderAt(pass, directoryOf(path));
  return parent !== parent_id || !isNameFor(nameOf(path), name);
}

/**
 * A directory's name fits when it is the folder's own, as a directory that was made here may have a name that other
 * systems do not take, or the safe form of it, with or without a number.
 */
const isNameFor = (directory: string, name: string): boolean => {
  const safe = folded(safeName(name));
  const given = folded(directory);
  if (folded(nameFrom(directory)) === folded(name)) return true;
  return given === safe || (given.startsWith(`${safe} (`) && /^ \(\d+\)$/.test(given.slice(safe.length)));
};

/** The folder's name that a directory's name says. */
const nameFrom = (path: string): string => nameOf(path).normalize("NFC").trim();

/** A folder of the service that is new to us: its directory is made, or found when an equal one is here already. */
async function takeFolder(pass: Pass, remote: RemoteFolder, parent: string): Promise<void> {
  const { id, name, parent_id } = remote;
  const plain = join(parent, safeName(name));
  const here = [...pass.scan.directories.keys()].find((path) => folded(path) === folded(plain));
  if (here !== undefined && folderRecordAt(pass, here) === undefined)
    return pass.store.saveFolder({ id, path: here, name, parent_id, inode: pass.scan.directories.get(here) });
  const path = freeDirectory(parent, name, pass.isTaken);
  await createDirectory(pass, { id, path, name, parent_id, inode: undefined });
  pass.take(path);
  pass.did("create_directory", path);
}

/** The service has moved or renamed it: so do we. */
async function moveDirectory(pass: Pass, known: FolderRecord, parent: string, before: string): Promise<void> {
  const from = known.path;
  const wasExact = nameOf(from) === safeName(before) && nameOf(from) !== safeName(known.name);
  const stays = directoryOf(from) === parent && isNameFor(nameOf(from), known.name) && !wasExact;
  pass.free(from);
  const to = stays ? from : freeDirectory(parent, known.name, pass.isTaken);
  pass.take(to);
  if (to !== from) {
    await pass.disk.move(from, to);
    await pass.store.moveRecords(from, to);
    pass.see(await pass.disk.scan());
    pass.did("move_directory", to);
  }
  await pass.store.saveFolder({ ...known, path: to });
}

/** We have moved or renamed it: so does the service. */
async function moveFolder(pass: Pass, record: FolderRecord): Promise<void> {
  const name = isNameFor(nameOf(record.path), record.name) ? record.name : nameFrom(record.path);
  const parent_id = await ensureFolder(pass, directoryOf(record.path));
  const body = { name, parent_id };
  const { data } = await pass.client.patch("/folders/{id}", { path: { id: record.id }, body, signal: pass.signal });
  const inode = pass.scan.directories.get(record.path);
  await pass.store.saveFolder({ ...record, name: data.name, parent_id: data.parent_id, inode });
  pass.did("move_folder", record.path);
}

/** The folder of a directory, made with those above it where it is missing; null at the top. */
export async function ensureFolder(pass: Pass, path: string): Promise<number | null> {
  if (path === "") return null;
  const known = folderRecordAt(pass, path);
  if (known) return known.id;
  const parent_id = await ensureFolder(pass, directoryOf(path));
  const body = { name: nameFrom(path), knowledge_base_id: pass.knowledgeBase, parent_id };
  const { id } = await createFolder(pass, path, pass.scan.directories.get(path), body);
  pass.did("create_folder", path);
  return id;
}

/** Makes folders of directories that are new here: with Markdown files somewhere below, or empty. */
export async function pushDirectories(pass: Pass): Promise<void> {
  const { directories, entries } = pass.scan;
  const isOurs = (path: string) => {
    const below = entries.filter((entry) => entry.startsWith(`${path}/`) && !directories.has(entry));
    return below.length === 0 || below.some(isMarkdown);
  };
  for (const path of directories.keys())
    if (!folderRecordAt(pass, path) && isOurs(path))
      await pass.attempt(path, async () => void (await ensureFolder(pass, path)));
}

/** Removes what the other side has removed, as far as nothing is left in it; what is kept is made again. */
export async function removeLeftovers(pass: Pass, leftovers: Leftovers): Promise<void> {
  for (const path of leftovers.directories.sort().reverse()) {
    if (folderRecordAt(pass, path)) continue;
    if (await pass.disk.removeDirectory(path)) pass.did("delete_directory", path);
  }
  const depth = (id: number) => pass.store.folders.get(id)?.path.split("/").length ?? 0;
  for (const id of leftovers.folders.sort((a, b) => depth(b) - depth(a)))
    await pass.attempt(pass.store.folders.get(id)?.path ?? "", () => removeFolder(pass, id));
}

async function removeFolder(pass: Pass, id: number): Promise<void> {
  const record = pass.store.folders.get(id);
  if (!record) return;
  const { signal } = pass;
  try {
    const { data: children } = await pass.client.get("/folders/{id}/children", { path: { id }, signal });
    const { data: now } = await pass.client.get("/folders/{id}", { path: { id }, signal });
    if (children.length > 0 || now.name !== record.name || now.parent_id !== record.parent_id) {
      await pass.disk.makeDirectory(record.path);
      return pass.did("create_directory", record.path);
    }
    await pass.client.delete("/folders/{id}", { path: { id }, signal });
    pass.did("delete_folder", record.path);
  } catch (error) {
    if (!isApiError(error, "not_found")) throw error;
  }
  await pass.store.forgetFolder(id);
}

/** The directory for the documents of a folder. */
export function directoryOfFolder(pass: Pass, id: number | null): string {
  if (id === null) return "";
  const record = pass.store.folders.get(id);
  if (!record) throw new ChangedMeanwhile("Its folder has no directory yet.");
  return record.path;
}

const folderRecordAt = (pass: Pass, path: string): FolderRecord | undefined =>
  [...pass.store.folders.values()].find((record) => record.path === path);

const folderAt = (pass: Pass, path: string): number | null | undefined =>
  path === "" ? null : folderRecordAt(pass, path)?.id;

const byDepth = (a: FolderRecord, b: FolderRecord): number => a.path.split("/").length - b.path.split("/").length;

/** Every folder after the one that it is in. */
function* topDown(folders: ReadonlyMap<number, RemoteFolder>): Generator<RemoteFolder> {
  const inside = Map.groupBy(folders.values(), ({ parent_id }) => parent_id);
  const queue = [...(inside.get(null) ?? [])];
  for (let folder = queue.shift(); folder; folder = queue.shift()) {
    yield folder;
    queue.push(...(inside.get(folder.id) ?? []));
  }
}
