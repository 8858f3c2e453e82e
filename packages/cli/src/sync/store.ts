import { mkdir, readdir, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Addresses, Carried } from "./carried.ts";
import { flushDirectory, PRIVATE, writeDurably } from "./disk.ts";
import { movedPath } from "./names.ts";

/** The state of a document and its file when they were last equal. */
export interface DocumentRecord {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly folder_id: number | null;
  /** The file name without extension that the service has stored; if absent, the file is named after the title. */
  readonly file_name?: string | null;
  /** Absent for a plain document. */
  readonly document_type?: "spreadsheet";
  readonly version: string;
  /** The file's text at that time. */
  readonly base: string;
  /** The document's properties at that time, as JSON; absent in records of earlier versions of this command. */
  readonly properties?: string;
  /** False in records of earlier versions that had not yet written the service's form of the text to the file. */
  readonly settled: boolean;
  /** The translated addresses of the text; absent in records of earlier versions. */
  readonly carried?: Carried;
}

/** A document's type in the form of records and requests. */
export const asRecorded = (type: "document" | "spreadsheet"): Pick<DocumentRecord, "document_type"> =>
  type === "spreadsheet" ? { document_type: type } : {};

export interface FolderRecord {
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly parent_id: number | null;
  readonly inode: string | undefined;
}

/** A step with an effect outside the record, saved before it runs, so that a crash neither loses nor repeats it. */
export type Intent =
  | {
      readonly kind: "create";
      readonly key: string;
      readonly at: number;
      readonly path: string;
      readonly base: string;
      readonly body: DocumentBody;
      readonly carried?: Carried;
    }
  | {
      readonly kind: "write";
      readonly key: string;
      readonly at: number;
      readonly id: string;
      readonly base: string;
      readonly version: string;
      readonly content: string;
      readonly addresses?: Addresses;
      readonly carried?: Carried;
    }
  | {
      readonly kind: "folder";
      readonly key: string;
      readonly at: number;
      readonly path: string;
      readonly body: FolderBody;
    }
  | { readonly kind: "pull"; readonly record: DocumentRecord }
  | { readonly kind: "directory"; readonly record: FolderRecord }
  | { readonly kind: "move"; readonly from: string; readonly record: DocumentRecord };

export interface DocumentBody {
  readonly title: string;
  readonly document_type?: "spreadsheet";
  readonly knowledge_base_id: number;
  readonly folder_id: number | null;
  readonly content: {
    readonly format: "markdown";
    readonly content: string;
    readonly file_addresses?: Addresses;
  };
}

export interface FolderBody {
  readonly name: string;
  readonly knowledge_base_id: number;
  readonly parent_id: number | null;
}

/** The knowledge base of the folder, and the position in its events. */
export interface Settings {
  readonly format: 1;
  readonly base_url: string;
  readonly knowledge_base_id: number;
  /** Position in the service's list of events; null reads everything again. */
  readonly cursor: number | null;
  /** The newest event seen, even if not all of its changes could be applied. */
  readonly newest?: number;
  /** The event history that these positions belong to, if the service sent it. */
  readonly history?: string;
}

/** The files of the state; each write is atomic. */
export interface StateFiles {
  write(name: string, value: unknown): Promise<void>;
  remove(name: string): Promise<void>;
  /** Reads every readable file of the state, by name. */
  readAll(): Promise<Map<string, unknown>>;
}

/** The state, with one file per document and folder, so that the cost of a step does not depend on their number. */
export class Store {
  readonly documents = new Map<string, DocumentRecord>();
  readonly folders = new Map<number, FolderRecord>();
  readonly #files: StateFiles;
  settings: Settings | undefined;
  intent: Intent | undefined;

  constructor(files: StateFiles) {
    this.#files = files;
  }

  async load(): Promise<void> {
    for (const [name, value] of await this.#files.readAll()) {
      if (name === "settings") this.settings = value as Settings;
      else if (name === "intent") this.intent = value as Intent;
      else if (name.startsWith("doc_")) this.documents.set(name, value as DocumentRecord);
      else if (name.startsWith("folder_")) this.folders.set(Number(name.slice(7)), value as FolderRecord);
    }
  }

  async saveSettings(settings: Settings): Promise<void> {
    await this.#files.write("settings", settings);
    this.settings = settings;
  }

  async saveDocument(record: DocumentRecord): Promise<void> {
    await this.#files.write(record.id, record);
    this.documents.set(record.id, record);
  }

  async saveFolder(record: FolderRecord): Promise<void> {
    await this.#files.write(`folder_${record.id}`, record);
    this.folders.set(record.id, record);
  }

  async forgetDocument(id: string): Promise<void> {
    await this.#files.remove(id);
    this.documents.delete(id);
  }

  async forgetFolder(id: number): Promise<void> {
    await this.#files.remove(`folder_${id}`);
    this.folders.delete(id);
  }

  async begin(intent: Intent): Promise<void> {
    await this.#files.write("intent", intent);
    this.intent = intent;
  }

  async done(): Promise<void> {
    await this.#files.remove("intent");
    this.intent = undefined;
  }

  /** Updates the paths of all records below a directory that has moved. */
  async moveRecords(from: string, to: string): Promise<void> {
    for (const record of this.documents.values()) {
      const path = movedPath(record.path, from, to);
      if (path !== undefined) await this.saveDocument({ ...record, path });
    }
    for (const record of this.folders.values()) {
      const path = movedPath(record.path, from, to);
      if (path !== undefined) await this.saveFolder({ ...record, path });
    }
  }
}

/** State files are compressed, so that a search in the folder's files does not find each text twice. */
const ENDING = ".state";
const pack = (value: unknown): Uint8Array => deflateRawSync(JSON.stringify(value));
const unpack = (bytes: Uint8Array): unknown => JSON.parse(inflateRawSync(bytes).toString("utf8"));
/** The extension that earlier versions of this command used. */
const OLD_ENDING = ".json";

export class FolderStateFiles implements StateFiles {
  readonly #folder: string;

  constructor(root: string) {
    this.#folder = join(root, PRIVATE, "state");
  }

  async write(name: string, value: unknown): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const fresh = join(this.#folder, `${name}.new`);
    await writeDurably(fresh, pack(value));
    await rename(fresh, join(this.#folder, name + ENDING));
    await removeFile(join(this.#folder, name + OLD_ENDING));
    await flushDirectory(this.#folder);
  }

  async remove(name: string): Promise<void> {
    await removeFile(join(this.#folder, name + ENDING));
    await removeFile(join(this.#folder, name + OLD_ENDING));
  }

  async readAll(): Promise<Map<string, unknown>> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    const found = new Map<string, unknown>();
    for (const name of names.filter((one) => one.endsWith(OLD_ENDING)).sort())
      found.set(name.slice(0, -OLD_ENDING.length), JSON.parse(await readFile(join(this.#folder, name), "utf8")));
    for (const name of names.filter((one) => one.endsWith(ENDING)).sort())
      found.set(name.slice(0, -ENDING.length), unpack(await readFile(join(this.#folder, name))));
    return found;
  }
}

const removeFile = (path: string): Promise<void> =>
  unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
