/**
 * The least that an export is: the ready texts of an archive, read from a table a hundred at a time and packed by the same
 * writer. What is in the table comes from an archive that svc made.
 */

import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { defined } from "@svc/document/defined";
import { openArchive } from "@svc/server/archives/open-archive";
import { writeZip, type ZipEntry } from "@svc/server/archives/write-zip";
import { portOf } from "@svc/server/http/port-of";

const PAGE = 100;
const db = new DatabaseSync(join(defined(process.env.BENCH_DATA), "bare-export.db"));
db.exec("pragma journal_mode = wal; create table files (id integer primary key, path text, content blob)");
const archive = await openArchive(defined(process.env.BENCH_ARCHIVE), { maxEntries: 1e6, maxBytes: 1e12 });
const insert = db.prepare("insert into files (path, content) values (?, ?)");
db.exec("begin");
for (const path of archive.paths) insert.run(path, await archive.read(path, 1e9));
db.exec("commit");
archive.close();

const page = db.prepare("select id, path, content from files where id > ? order by id limit ?");
async function* entries(): AsyncGenerator<ZipEntry> {
  const modified = new Date();
  for (let after = 0; ; ) {
    const rows = page.all(after, PAGE) as { id: number; path: string; content: Uint8Array }[];
    if (rows.length === 0) return;
    for (const { path, content } of rows) yield { path, modified, content };
    after = defined(rows.at(-1)).id;
  }
}

const server = createServer((_request, response) => void pipeline(Readable.from(writeZip(entries())), response));
server.listen(0, "127.0.0.1", () => {
  const port = portOf(server);
  process.stdout.write(`${JSON.stringify({ address: `http://127.0.0.1:${port}` })}\n`);
});
