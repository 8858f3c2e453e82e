import { randomBytes } from "node:crypto";
import { type Client, type Document, isApiError, isSuggested } from "@svc/sdk";
import { failure } from "../command-error.ts";
import type { Addresses, Carried } from "./carried.ts";
import type { Disk } from "./disk.ts";
import {
  asRecorded,
  type DocumentBody,
  type DocumentRecord,
  type FolderBody,
  type FolderRecord,
  type Intent,
  type Store,
} from "./store.ts";

/** A key is good for this long: the service keeps it for a day. */
const KEY_MS = 23 * 3_600_000;

interface Sides {
  readonly client: Client;
  readonly disk: Disk;
  readonly store: Store;
  readonly signal?: AbortSignal | undefined;
}

const newKey = () => ({ key: `sync-${randomBytes(16).toString("hex")}`, at: Date.now() });

/** Creates the document of a file, once, however often it is interrupted. */
export async function createDocument(
  sides: Sides,
  path: string,
  base: string,
  body: DocumentBody,
  carried: Carried,
): Promise<DocumentRecord> {
  const intent = { kind: "create", path, base, body, carried, ...newKey() } as const;
  await sides.store.begin(intent);
  return finishCreate(sides, intent);
}

/** Writes a body that is based on `version`; the record then knows the new version, and `base` as the file's text. */
export async function writeDocument(
  sides: Sides,
  record: DocumentRecord,
  write: {
    readonly base: string;
    readonly version: string;
    readonly content: string;
    readonly addresses: Addresses;
    readonly carried: Carried;
  },
): Promise<DocumentRecord> {
  const intent = { kind: "write", id: record.id, ...write, ...newKey() } as const;
  await sides.store.begin(intent);
  return finishWrite(sides, intent, record);
}

export async function createFolder(
  sides: Sides,
  path: string,
  inode: string | undefined,
  body: FolderBody,
): Promise<FolderRecord> {
  const intent = { kind: "folder", path, body, ...newKey() } as const;
  await sides.store.begin(intent);
  return finishFolder(sides, intent, inode);
}

/** Puts a document's text into a file that is not there yet. */
export async function createFile(sides: Sides, record: DocumentRecord): Promise<void> {
  await sides.store.begin({ kind: "pull", record });
  await sides.disk.write(record.path, record.base, undefined);
  await sides.store.saveDocument(record);
  await sides.store.done();
}

export async function createDirectory(sides: Sides, record: FolderRecord): Promise<void> {
  await sides.store.begin({ kind: "directory", record });
  await sides.disk.makeDirectory(record.path);
  await sides.store.saveFolder(record);
  await sides.store.done();
}

/** Moves a document's file to where its new record says. */
export async function moveFile(sides: Sides, from: string, record: DocumentRecord): Promise<void> {
  await sides.store.begin({ kind: "move", from, record });
  await sides.disk.move(from, record.path);
  await sides.store.saveDocument(record);
  await sides.store.done();
}

/**
 * Finishes the step that an interrupted run had begun. A request is sent again under its own key, so the service
 * answers what it answered then; what has become impossible is left to the comparison of both sides.
 */
export async function finishIntent(sides: Sides): Promise<void> {
  const { intent } = sides.store;
  if (!intent) return;
  if ("key" in intent) {
    if (Date.now() - intent.at < KEY_MS) await resend(sides, intent);
  } else await finishFileStep(sides, intent);
  await sides.store.done();
}

async function resend(sides: Sides, intent: Extract<Intent, { key: string }>): Promise<void> {
  try {
    if (intent.kind === "create") await finishCreate(sides, intent);
    else if (intent.kind === "folder") await finishFolder(sides, intent, undefined);
    else {
      const record = sides.store.documents.get(intent.id);
      if (record) await finishWrite(sides, intent, record);
    }
  } catch (error) {
    if (!isApiError(error) || error.status === 401 || error.status >= 429) throw error;
  }
}

async function finishFileStep({ disk, store }: Sides, intent: Exclude<Intent, { key: string }>): Promise<void> {
  const { record } = intent;
  if (intent.kind === "directory") {
    await disk.makeDirectory(intent.record.path);
    await store.saveFolder(intent.record);
  } else if (intent.kind === "pull") {
    if ((await disk.read(intent.record.path)) === intent.record.base) await store.saveDocument(intent.record);
  } else {
    const [from, to] = [await disk.read(intent.from), await disk.read(record.path)];
    if (from !== undefined && to === undefined) await disk.move(intent.from, record.path);
    // With both there, somebody else has taken the place: the comparison decides.
    if ((from === undefined) !== (to === undefined)) await store.saveDocument(intent.record);
  }
}

async function finishCreate(sides: Sides, intent: Extract<Intent, { kind: "create" }>): Promise<DocumentRecord> {
  const { client, store, signal } = sides;
  const { content, ...place } = intent.body;
  const { file_addresses: addresses, ...markdown } = content;
  const { data } = await withAddresses(client, { key: intent.key, addresses }, (said, idempotencyKey) =>
    client.post("/documents", { body: { ...place, content: { ...markdown, ...said } }, idempotencyKey, signal }),
  );
  const { path, base, carried } = intent;
  const record = { ...placeOf(data), path, version: data.version, base, settled: true, ...(carried && { carried }) };
  await store.saveDocument(record);
  await store.done();
  return record;
}

async function finishWrite(
  sides: Sides,
  intent: Extract<Intent, { kind: "write" }>,
  record: DocumentRecord,
): Promise<DocumentRecord> {
  const { data } = await withAddresses(sides.client, intent, (said, idempotencyKey) =>
    sides.client.put("/documents/{id}/content", {
      path: { id: intent.id },
      query: { ids: "match" },
      ifMatch: intent.version,
      body: { format: "markdown", content: intent.content, ...said },
      idempotencyKey,
      signal: sides.signal,
    }),
  );
  if (isSuggested(data))
    throw failure("This token may only suggest, and a folder that is kept in sync needs one that writes.");
  const { base, carried } = intent;
  const written = { ...record, version: data.version, base, settled: true, ...(carried && { carried }) };
  await sides.store.saveDocument(written);
  await sides.store.done();
  return written;
}

async function finishFolder(
  sides: Sides,
  intent: Extract<Intent, { kind: "folder" }>,
  inode: string | undefined,
): Promise<FolderRecord> {
  const { client, store, signal } = sides;
  const { data } = await client.post("/folders", { body: mutable(intent.body), idempotencyKey: intent.key, signal });
  const record = { id: data.id, path: intent.path, name: data.name, parent_id: data.parent_id, inode };
  await store.saveFolder(record);
  await store.done();
  return record;
}

/** Clients of servers that are too old to keep how files write their addresses. */
const withoutFileAddresses = new WeakSet<Client>();

/**
 * Sends a text with the words of its file for addresses. An older server refuses the field and gets the text alone,
 * under a key of its own, because the refusal is what the server keeps for the first one.
 */
async function withAddresses<T>(
  client: Client,
  { key, addresses }: { readonly key: string; readonly addresses?: Addresses | undefined },
  send: (said: { file_addresses?: Addresses }, idempotencyKey: string) => Promise<T>,
): Promise<T> {
  const said = addressesIn(addresses);
  if (!said) return send({}, key);
  try {
    if (!withoutFileAddresses.has(client)) return await send(said, key);
  } catch (error) {
    if (!isApiError(error) || error.status !== 400) throw error;
  }
  const answer = await send({}, `${key}-plain`);
  withoutFileAddresses.add(client);
  return answer;
}

/** Sends nothing for a text without links to pages or files. */
export const addressesIn = (addresses: Addresses = {}) =>
  Object.keys(addresses).length > 0 && { file_addresses: addresses };

const mutable = <T extends object>(value: T): T => ({ ...value });
const placeOf = ({ id, title, folder_id, file_name, document_type }: Document) => ({
  ...{ id, title, folder_id, file_name },
  ...asRecorded(document_type),
});
