import { createHash } from "node:crypto";
import { ApiError, type Attachment, type Client, downloadAttachment, listAll, uploadAttachment } from "@svc/sdk";
import type { CarriedFile } from "./carried.ts";
import type { Disk } from "./disk.ts";
import { isMarkdown, join, nameOf, numbered, safeName } from "./names.ts";

/** The folder for downloaded attachments that have no file of their own yet. */
const DIRECTORY = "attachments";

/** A file of more bytes is read only once it is known that the service would take it. */
const LARGE = 10_000_000;

/** The service would not take the file, so that it was not even read. */
class TooLarge extends Error {
  override readonly name = "TooLarge";
}

const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

interface Sides {
  readonly client: Client;
  readonly disk: Disk;
  readonly signal: AbortSignal | undefined;
}

/** Files of the folder and attachments of documents, each known by its content. */
export class AttachedFiles {
  readonly #sides: Sides;
  readonly #lists = new Map<string, Promise<Attachment[]>>();
  #maxBytes: Promise<number> | undefined;

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  /**
   * The attachment that has a file's content: the one that is known, one of the document's own, or a new one where
   * uploading is allowed. Undefined where there is no such file, or no such attachment.
   */
  async attach(
    documentId: string,
    path: string,
    known: CarriedFile | undefined,
    mayUpload: boolean,
  ): Promise<CarriedFile | undefined> {
    const { disk, client, signal } = this.#sides;
    const facts = await disk.facts(path);
    if (!facts) return undefined;
    if (known && known.size === facts.size && known.modified === facts.modified) return known;
    await this.#refuseTooLarge(facts.size);
    const bytes = await disk.readBytes(path);
    if (!bytes) return undefined;
    const sha256 = sha256Of(bytes);
    if (known?.sha256 === sha256) return { ...known, ...facts };
    const there = (await this.listOf(documentId)).find((one) => one.sha256 === sha256);
    if (there) return { attachment_id: there.id, sha256, ...facts };
    if (!mayUpload) return undefined;
    const file = { documentId, fileName: nameOf(path), content: new Uint8Array(bytes) };
    const { id } = await uploadAttachment(client, file, { signal });
    this.#lists.delete(documentId);
    return { attachment_id: id, sha256, ...facts };
  }

  /** Puts an attachment's content at a path where nothing else is: the one that is wanted, or below `attachments`. */
  async fetch(
    documentId: string,
    attachmentId: string,
    wished: string | undefined,
  ): Promise<{ readonly path: string; readonly file: CarriedFile } | undefined> {
    const attachment = (await this.listOf(documentId)).find(({ id }) => id === attachmentId);
    if (!attachment) return undefined;
    const { sha256, file_name, size } = attachment;
    for (const path of placesFor(file_name, wished)) {
      const here = await this.#sides.disk.facts(path);
      if (here && here.size !== size) continue;
      const there = await this.#sides.disk.readBytes(path);
      if (there === null || (there && sha256Of(there) !== sha256)) continue;
      if (!there) await this.#download(attachment, path);
      const facts = await this.#sides.disk.facts(path);
      return facts && { path, file: { attachment_id: attachmentId, sha256, ...facts } };
    }
    return undefined;
  }

  async #refuseTooLarge(size: number): Promise<void> {
    if (size <= LARGE) return;
    const { client, signal } = this.#sides;
    this.#maxBytes ??= client.get("/me/quota", { signal }).then(({ data }) => data.attachments.max_file_bytes);
    const limit = await this.#maxBytes;
    if (size > limit) throw new TooLarge(`It has ${size} bytes, and the service takes ${limit} at most.`);
  }

  async #download({ id, sha256, file_name, size }: Attachment, path: string): Promise<void> {
    const { client, signal } = this.#sides;
    const { stream } = await downloadAttachment(client, id, { signal, maxBytes: size });
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    if (sha256Of(bytes) !== sha256) throw new Error(`${file_name} arrived damaged.`);
    await this.#sides.disk.write(path, bytes, undefined);
  }

  /** The attachments of a document. */
  listOf(documentId: string): Promise<Attachment[]> {
    const cached = this.#lists.get(documentId);
    if (cached) return cached;
    const options = { path: { id: documentId }, signal: this.#sides.signal };
    const list = Array.fromAsync(listAll(this.#sides.client, "/documents/{id}/attachments", options));
    this.#lists.set(documentId, list);
    return list;
  }
}

/** The service does not take the file: too large, or there is no room. */
export const isRefusedFile = (error: unknown): error is Error =>
  error instanceof TooLarge || (error instanceof ApiError && error.status !== 401 && error.status < 429);

/** A file that Markdown would be read from is a document; as an attachment it gets another ending. */
function* placesFor(fileName: string, wished: string | undefined): Generator<string> {
  if (wished !== undefined && !isMarkdown(wished)) yield wished;
  const safe = safeName(fileName);
  const name = isMarkdown(safe) ? `${safe}.txt` : safe;
  for (let number = 1; number < 1000; number++) yield join(DIRECTORY, numbered(name, number));
}
