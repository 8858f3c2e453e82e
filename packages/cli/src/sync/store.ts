import { mkdir, readdir, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Addresses, Carried } from "./carried.ts";
import { flushDirectory, PRIVATE, writeDurably } from "./disk.ts";
import { movedPath } from "./names.ts";

/** How a document and its file last were when they were equal. */
export interface DocumentRecord {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly folder_id: number | null;
  /** The name of its file without the ending, as the service has noted it; else the title. */
  readonly file_name?: string | null;
  /** Left out for what is no spreadsheet. */
  readonly document_type?: "spreadsheet";
  readonly version: string;
  /** The file's text then. */
  readonly base: string;
  /** The document's properties then, as JSON; records of earlier versions of this command do not know them. */
  readonly properties?: string;
  /** False in records of earlier versions, which had yet to put the service's form of a text into its file. */
  readonly settled: boolean;
  /** How the addresses in the text were carried over; records of earlier versions have none. */
  readonly carried?: Carried;
}

/** A document's type as records and requests say it. */
export const asRecorded = (type: "document" | "spreadsheet"): Pick<DocumentRecord, "document_type"> =>
  type === "spreadsheet" ? { document_type: type } : {};

export interface FolderRecord {
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly parent_id: number | null;
  readonly inode: string | undefined;
}

/** A step that has an effect outside of the record, noted before it is taken, so that it is neither lost nor repeated. */
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
  /** The newest event of the service that was seen, also where not all of it could be followed. */
  readonly newest?: number;
  /** The event history that these positions belong to, if the service sent it. */
  readonly history?: string;
}

/** Writes one small file of the state, whole or not at all. */
export interface StateFiles {
  write(name: string, value: unknown): Promise<void>;
  remove(name: string): Promise<void>;
  /** Every file of the state that can be read, by name. */
  readAll(): Promise<Map<string, unknown>>;
}

/** The state, as one file per document and folder: a step costs the same however many there are. */
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

  /** After a directory has moved, everything below it is found at its new place. */
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

/** Packed, so that a search through the folder's files does not find the texts here once more. */
const ENDING = ".state";
const pack = (value: unknown): Uint8Array => deflateRawSync(JSON.stringify(value));
const unpack = (bytes: Uint8Array): unknown => JSON.parse(inflateRawSync(bytes).toString("utf8"));
/** As earlier versions of this command wrote it. */
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
