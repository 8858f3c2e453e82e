import type { DatabaseSync } from "node:sqlite";

/** The extra tables of a backup: the attachment files, in pieces. */
const CHUNK_BYTES = 1 << 20;

interface KeptFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** Makes the tables for files, and returns a function that adds one file. */
export function fileTables(backup: DatabaseSync) {
  backup.exec(`
    create table svc_backup_files (path text primary key, size integer not null, sha256 text not null);
    create table svc_backup_chunks (path text not null, number integer not null, bytes blob not null, primary key (path, number));
  `);
  const addFile = backup.prepare("insert into svc_backup_files values (?, ?, ?)");
  const addChunk = backup.prepare("insert into svc_backup_chunks values (?, ?, ?)");
  return {
    addChunk: (path: string, number: number, bytes: Uint8Array) => void addChunk.run(path, number, bytes),
    addFile: ({ path, size, sha256 }: KeptFile) => void addFile.run(path, size, sha256),
  };
}

/** Gathers a stream into pieces of one size, except for the last. */
export async function* pieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    gathered.push(chunk);
    size += chunk.byteLength;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(gathered);
    [gathered, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(gathered);
}

export const listFiles = (backup: DatabaseSync): KeptFile[] =>
  backup
    .prepare("select path, size, sha256 from svc_backup_files order by path")
    .all()
    .map(({ path, size, sha256 }) => ({ path: String(path), size: Number(size), sha256: String(sha256) }));

export async function* readFile(backup: DatabaseSync, path: string): AsyncGenerator<Uint8Array> {
  const rows = backup.prepare("select bytes from svc_backup_chunks where path = ? order by number").iterate(path);
  for (const { bytes } of rows) if (bytes instanceof Uint8Array) yield bytes;
}
