import { isDeepStrictEqual } from "node:util";
import { replaceDestinations } from "@svc/document/markdown/destinations";
import { sourceOf, splitReadable } from "@svc/document/properties/front-matter";
import { readProperties } from "@svc/document/properties/read-properties";
import { isConflict } from "@svc/sdk";
import { sameText, withoutAnchors } from "./anchored-text.ts";
import type { Addresses, Carried } from "./carried.ts";
import { addressOfMoved, type Page, sentText } from "./carry.ts";
import { mergeParagraphs } from "./merge-paragraphs.ts";
import { conflictFile } from "./names.ts";
import type { Pass } from "./pass.ts";
import { writeDocument } from "./steps.ts";
import type { DocumentRecord } from "./store.ts";

/** Max attempts per pass for a document that other people keep changing. */
const ATTEMPTS = 3;

interface Body {
  /** The document's text with the addresses that files use. */
  readonly text: string;
  /** The document's text with the addresses of the service. */
  readonly there: string;
  readonly version: string;
  readonly carried: Carried;
}

async function readBody(pass: Pass, page: Page & { readonly id: string }): Promise<Body> {
  return carryBody(pass, page, await readThere(pass, page.id));
}

/** A document's text on the service. */
interface There {
  readonly there: string;
  readonly version: string;
  /** The spelling of addresses in the file that the text came from. */
  readonly addresses: Addresses;
}

export async function readThere({ client, signal }: Pass, id: string): Promise<There> {
  const query = { format: "markdown", front_matter: true } as const;
  const { data } = await client.get("/documents/{id}/content", { path: { id }, query, signal });
  return { there: data.content ?? "", version: data.version, addresses: (data.file_addresses ?? {}) as Addresses };
}

export async function carryBody(
  { carrier }: Pass,
  page: Page & { readonly id: string },
  { there, version, addresses }: There,
): Promise<Body> {
  return { ...(await carrier.toFile(page, there, addresses)), there, version };
}

/** Replaces an unchanged file by the service's text. Recomputes all links of a file that has moved. */
export async function pullBody(pass: Pass, record: DocumentRecord, text: string, hasMoved = false): Promise<void> {
  const body = await readBody(pass, hasMoved ? { ...record, base: undefined } : record);
  if (body.text !== text) {
    await pass.disk.write(record.path, body.text, text);
    pass.did("pull", record.path);
  }
  await pass.store.saveDocument(settledWith(record, body));
}

/** The record of a file whose text equals the service's text. */
export const settledWith = (
  record: DocumentRecord,
  { text, version, carried }: Omit<Body, "there">,
): DocumentRecord => ({
  ...record,
  version,
  base: text,
  carried,
  properties: propertiesIn(text) ?? "{}",
  settled: true,
});

/** The properties that a text sets, as JSON; undefined if it has no front matter. */
export function propertiesIn(text: string): string | undefined {
  const { frontMatter } = splitReadable(text);
  return frontMatter === "" ? undefined : JSON.stringify(readProperties(sourceOf(frontMatter)));
}

/** Sends a changed file. If the document has changed as well, merges both changes. */
export async function pushBody(pass: Pass, record: DocumentRecord, text: string): Promise<void> {
  try {
    await send(pass, record, text, { text: record.base, version: record.version });
    pass.did("push", record.path);
  } catch (error) {
    if (!isConflict(error)) throw error;
    await pass.store.done();
    await mergeBody(pass, record, text);
  }
}

/** Merges a file and its document if both have changed; if the changes overlap, keeps both texts. */
export async function mergeBody(pass: Pass, record: DocumentRecord, text: string): Promise<void> {
  let local = text;
  for (let attempt = 1; ; attempt++) {
    const current = await readBody(pass, record);
    const merged = mergeParagraphs(record.base, local, current.text);
    const settled = settledWith(record, current);
    if (merged === undefined || merged === current.text) return keepBoth(pass, settled, local, merged !== undefined);
    if (merged !== local) {
      // Write the file first: until the record is saved, both sides still count as changed and merge to the same text.
      await pass.disk.write(record.path, merged, local);
      local = merged;
    }
    try {
      await send(pass, record, local, current);
      return pass.did("merge", record.path);
    } catch (error) {
      if (!isConflict(error) || attempt >= ATTEMPTS) throw error;
      await pass.store.done();
    }
  }
}

/**
 * Writes the service's text (the record's base) to a file with another text. Keeps a copy of the file's text next to
 * it, unless the service has all of that text.
 */
export async function keepBoth(pass: Pass, record: DocumentRecord, text: string, isKnown = false): Promise<void> {
  if (!isKnown && !sameText(text, record.base)) {
    const path = await keepCopy(pass, record, text);
    pass.did("conflict", path);
  }
  if (text !== record.base) await pass.disk.write(record.path, record.base, text);
  await pass.store.saveDocument(record);
}

/** Keeps a copy of the file after the service was restored from a backup: it may be the only copy of later text. */
export async function keepNewer(pass: Pass, record: DocumentRecord, text: string): Promise<void> {
  return keepBoth(pass, settledWith(record, await readBody(pass, record)), text);
}

async function keepCopy(pass: Pass, { path, version }: DocumentRecord, text: string): Promise<string> {
  for (let number = 1; ; number++) {
    const copy = conflictFile(path, version, number);
    const there = await pass.disk.read(copy);
    if (there === undefined) await pass.disk.write(copy, text, undefined);
    if (there === undefined || there === text) return copy;
  }
}

/**
 * Replaces `current` on the service by the file's text. The file stays unchanged: the service stores its spelling of
 * addresses. Removes anchors of earlier versions of this command. Deleted front matter also deletes the properties.
 */
async function send(
  pass: Pass,
  record: DocumentRecord,
  text: string,
  current: Pick<Body, "text" | "version">,
): Promise<void> {
  const { text: said, carried, addresses } = await pass.carrier.toDocument(record, text, "send");
  const properties = propertiesIn(text);
  const write = { base: text, version: current.version, content: withoutAnchors(said), addresses, carried };
  const written = await writeDocument(pass, record, write);
  pass.sent.add(record.id);
  pass.carrier.headings.forget(record.id);
  if (properties === undefined && propertiesIn(current.text) !== undefined) {
    const path = { id: record.id };
    await pass.client.put("/documents/{id}/properties", {
      path,
      ifMatch: "*",
      body: { properties: {} },
      signal: pass.signal,
    });
  }
  await pass.store.saveDocument({ ...written, properties: properties ?? "{}" });
}

/**
 * Sends an unchanged text again if links or files in it could not be resolved when it was sent, or its files have
 * changed since.
 */
export async function carryRest(pass: Pass, record: DocumentRecord): Promise<void> {
  const { text, carried, addresses, hasNewPicture } = await pass.carrier.toDocument(record, record.base, "rest");
  if (text === sentText(record) && !hasNewPicture) {
    if (!isDeepStrictEqual(carried, record.carried)) await pass.store.saveDocument({ ...record, carried });
    return;
  }
  const write = { base: record.base, version: record.version, content: withoutAnchors(text), addresses, carried };
  try {
    await writeDocument(pass, record, write);
    pass.did("push", record.path);
  } catch (error) {
    // The next pass sees the other change, and sends both.
    if (!isConflict(error)) throw error;
    await pass.store.done();
  }
}

/** Updates links of an unchanged file that lead to a page's former path. */
export async function followMovedPages(pass: Pass, record: DocumentRecord): Promise<void> {
  const { carried, path, base } = record;
  const moved = new Map<string, string>();
  for (const [address, there] of Object.entries(carried?.links ?? {})) {
    const next = addressOfMoved(pass, path, address, there);
    if (next !== undefined) moved.set(address, next);
  }
  if (!carried || moved.size === 0 || (await pass.disk.read(path)) !== base) return;
  const text = replaceDestinations(base, (value) => moved.get(value));
  if (text === base) return;
  const links = Object.entries(carried.links).map(([address, there]) => [moved.get(address) ?? address, there]);
  await pass.disk.write(path, text, base);
  await pass.store.saveDocument({ ...record, base: text, carried: { ...carried, links: Object.fromEntries(links) } });
  pass.did("pull", path);
}
