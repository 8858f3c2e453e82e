import { DatabaseSync } from "node:sqlite";
import { BackupError } from "../../backup/backup-error.ts";
import type { TableDigest } from "../../backup/stored-rows.ts";
import { currentSchema } from "../../schema/migrate.ts";
import { migrateFile } from "../open.ts";
import { fileTables, listFiles, pieces, readFile } from "./files.ts";
import { dropBackupTables, FORMAT, type Manifest, readManifest, readSchemaName, writeManifest } from "./manifest.ts";
import { prepareRestored } from "./prepare-restored.ts";
import { digestFile } from "./rows.ts";

interface Written {
  readonly size: number;
  readonly sha256: string;
}

/** An open backup: a store in one file, with the attachment files and a manifest in extra tables. */
export class BackupFile implements Disposable {
  readonly #path: string;
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#path = path;
    this.#database = new DatabaseSync(path);
  }

  [Symbol.dispose](): void {
    if (this.#database.isOpen) this.#database.close();
  }

  /** Begins a backup. `metered` passes a file's bytes on and knows their number and hash at the end. */
  addFiles(): (path: string, source: AsyncIterable<Uint8Array>, written: () => Written) => Promise<void> {
    this.#database.exec("begin");
    const tables = fileTables(this.#database);
    return async (path, source, written) => {
      let number = 0;
      for await (const bytes of pieces(source)) tables.addChunk(path, number++, bytes);
      tables.addFile({ path, ...written() });
    };
  }

  /** Completes a backup. */
  finish(tables: ReadonlyMap<string, TableDigest>, hasFiles: boolean): void {
    const schema = readSchemaName(this.#database);
    const createdAt = new Date().toISOString();
    writeManifest(this.#database, { format: FORMAT, schema, createdAt, hasFiles, tables });
    this.#database.exec("commit");
  }

  get manifest(): Manifest {
    return readManifest(this.#database);
  }

  get files() {
    return listFiles(this.#database);
  }

  read(path: string): AsyncIterable<Uint8Array> {
    return readFile(this.#database, path);
  }

  /** Counts the rows of a table. */
  count(table: string): number {
    return Number(this.#database.prepare(`select count(*) as number from "${table}"`).get()?.number);
  }

  /** Throws unless the file is sound and this release can read it. `name` is the name that the operator knows it by. */
  check(name: string): void {
    const broken = this.#database.prepare("pragma quick_check(1)").get()?.quick_check;
    if (broken !== "ok") throw new BackupError(`${name} is damaged: ${broken}. Use another backup.`);
    const { format, schema } = this.manifest;
    if (format > FORMAT) throw newer(name, `its format is ${format}`);
    // A release may serve a store that is ahead of it, but it would not restore the columns that it does not know.
    if (schema > currentSchema()) throw newer(name, `its schema is ${schema}`);
  }

  /** Throws unless the rows are those that the store had when the backup was made. */
  compare(name: string): void {
    const { tables } = this.manifest;
    const found = digestFile(this.#database);
    for (const [table, { rows, digest }] of tables) {
      const now = found.get(table);
      if (now?.rows !== rows || now.digest !== digest)
        throw new BackupError(
          `${name} is damaged: the table ${table} had ${rows} rows, and ${now?.rows ?? "no"} rows or other ones are left. Use another backup.`,
        );
    }
    const orphan = this.#database.prepare("pragma foreign_key_check").get();
    if (orphan) throw new BackupError(`${name} is damaged: a row of ${orphan.table} refers to a row that is missing.`);
  }

  /** Turns the backup into a plain store of this release, ready to take the place of another, and closes it. */
  async becomeStore(): Promise<void> {
    dropBackupTables(this.#database);
    this.#database.close();
    await migrateFile(this.#path);
    prepareRestored(this.#path);
  }
}

const newer = (name: string, why: string) =>
  new BackupError(`${name} was made by a newer release of svc (${why}): restore it with that release or a later one.`);
