import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readSync, renameSync, writeSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Tables of a backup file beyond those of a store: the attachment files, in pieces. */
export const FILE_TABLE = "svc_backup_files";
const CHUNK_TABLE = "svc_backup_chunks";
const CHUNK_BYTES = 1 << 20;

/** Writes every file under `directory` into the backup, in one transaction, and tells how many. */
export function storeFiles(backup: string, directory: string): number {
  const database = new DatabaseSync(backup);
  try {
    database.exec(`
      begin;
      create table ${FILE_TABLE} (path text primary key);
      create table ${CHUNK_TABLE} (path text not null, number integer not null, bytes blob not null, primary key (path, number));
    `);
    const addFile = database.prepare(`insert into ${FILE_TABLE} values (?)`);
    const addChunk = database.prepare(`insert into ${CHUNK_TABLE} values (?, ?, ?)`);
    let count = 0;
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const name = relative(directory, path).split(sep).join("/");
      addFile.run(name);
      let number = 0;
      for (const bytes of chunksOf(path)) addChunk.run(name, number++, bytes);
      count++;
    }
    database.exec("commit");
    return count;
  } finally {
    database.close();
  }
}

function* chunksOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    for (;;) {
      const bytes = new Uint8Array(CHUNK_BYTES);
      const length = readSync(file, bytes);
      if (length === 0) return;
      yield bytes.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** Writes the files of a backup under `directory`, each whole or not at all, by way of the directory `work`. */
export function readFiles(backup: string, directory: string, work: string): number {
  const database = new DatabaseSync(backup);
  try {
    const files = database.prepare(`select path from ${FILE_TABLE} order by path`).all();
    const chunks = database.prepare(`select bytes from ${CHUNK_TABLE} where path = ? order by number`);
    for (const row of files) {
      const path = String(row.path);
      const target = join(directory, normalize(path));
      if (!target.startsWith(directory + sep)) throw new Error(`The backup names a file outside its place: ${path}.`);
      const draft = join(work, "attachment");
      const file = openSync(draft, "w", 0o600);
      for (const { bytes } of chunks.iterate(path)) if (bytes instanceof Uint8Array) writeSync(file, bytes);
      fsyncSync(file);
      closeSync(file);
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      renameSync(draft, target);
    }
    return files.length;
  } finally {
    database.close();
  }
}

/** Makes a plain store of a backup, without the space that its files took. */
export function dropFiles(backup: string): void {
  const database = new DatabaseSync(backup);
  database.exec(`drop table ${CHUNK_TABLE}; drop table ${FILE_TABLE}; vacuum`);
  database.close();
}
