import { Readable } from "node:stream";
import { writeZip } from "../../../archives/write-zip.ts";
import type { Database, Reader } from "../../../db/database.ts";
import { apiError } from "../../../errors.ts";
import type { Services } from "../../../services.ts";
import { exportEntries } from "./export-entries.ts";
import type { ExportSource } from "./export-source.ts";

/** Each export holds a database snapshot for as long as its reader takes. */
const MAX_AT_ONCE = 4;
/** Abort the export if its reader takes nothing for this long. */
const STALL_MS = 60_000;
let underWay = 0;

/** Streams the archive of a knowledge base as of now. */
export function streamExport(app: Services, wanted: Omit<ExportSource, "db" | "blobs">): Readable {
  if (underWay >= MAX_AT_ONCE)
    throw apiError("unavailable", { hint: "Too many exports at once." }, { "retry-after": "10" });
  const { database, blobs, log } = app;
  const archive = inSnapshot(database, (db) => writeZip(exportEntries({ db, blobs, ...wanted })));
  let taken = Date.now();
  const noted = noting(archive, () => {
    taken = Date.now();
  });
  const stream = Readable.from(noted, { objectMode: false, highWaterMark: 256 * 1024 });
  underWay++;
  const watch = setInterval(() => {
    if (Date.now() - taken > STALL_MS) stream.destroy(new Error("The reader of an export has stalled."));
  }, STALL_MS / 4);
  stream.on("error", (error) =>
    log.warn({ err: error, knowledge_base_id: wanted.knowledgeBaseId }, "export broke off"),
  );
  stream.once("close", () => {
    underWay--;
    clearInterval(watch);
  });
  return stream;
}

/** Calls `note` each time the reader asks for more. */
async function* noting<T>(source: AsyncIterable<T>, note: () => void): AsyncGenerator<T> {
  for await (const item of source) {
    yield item;
    note();
  }
}

/** Generates from one database snapshot, which is held until the reader has finished or disconnected. */
async function* inSnapshot(
  database: Database,
  source: (db: Reader) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const opened = Promise.withResolvers<Reader>();
  const finished = Promise.withResolvers<void>();
  const held = database.snapshot(async (db) => {
    opened.resolve(db);
    await finished.promise;
  });
  held.catch(opened.reject);
  try {
    yield* source(await opened.promise);
  } finally {
    finished.resolve();
    await held;
  }
}
