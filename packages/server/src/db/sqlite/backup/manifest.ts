import type { DatabaseSync } from "node:sqlite";
import type { TableDigest } from "../../backup/stored-rows.ts";

/** Counts the changes of the file format that older releases cannot read. */
export const FORMAT = 1;

export interface Manifest {
  readonly format: number;
  /** The name of the last migration. */
  readonly schema: string;
  readonly createdAt: string;
  readonly hasFiles: boolean;
  readonly tables: ReadonlyMap<string, TableDigest>;
}

export function writeManifest(backup: DatabaseSync, manifest: Manifest): void {
  backup.exec(`
    create table svc_backup_facts (key text primary key, value text not null);
    create table svc_backup_tables (name text primary key, row_count integer not null, digest text not null);
  `);
  const addFact = backup.prepare("insert into svc_backup_facts values (?, ?)");
  addFact.run("format", String(manifest.format));
  addFact.run("schema", manifest.schema);
  addFact.run("created_at", manifest.createdAt);
  addFact.run("files", String(manifest.hasFiles));
  const addTable = backup.prepare("insert into svc_backup_tables values (?, ?, ?)");
  for (const [name, { rows, digest }] of manifest.tables) addTable.run(name, rows, digest);
}

export function readManifest(backup: DatabaseSync): Manifest {
  const facts = new Map(
    backup
      .prepare("select key, value from svc_backup_facts")
      .all()
      .map(({ key, value }) => [String(key), String(value)]),
  );
  const rows = backup.prepare("select name, row_count, digest from svc_backup_tables").all();
  return {
    format: Number(facts.get("format")),
    schema: facts.get("schema") ?? "",
    createdAt: facts.get("created_at") ?? "",
    hasFiles: facts.get("files") === "true",
    tables: new Map(
      rows.map(({ name, row_count, digest }) => [String(name), { rows: Number(row_count), digest: String(digest) }]),
    ),
  };
}

export const readSchemaName = (database: DatabaseSync): string =>
  String(database.prepare("select name from kysely_migration order by name desc limit 1").get()?.name ?? "");

export const dropBackupTables = (database: DatabaseSync): void =>
  database.exec(`
    drop table svc_backup_chunks; drop table svc_backup_files; drop table svc_backup_tables; drop table svc_backup_facts;
    vacuum`);
