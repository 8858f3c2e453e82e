import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { realArticles } from "../corpus/real-text.ts";
import { makeDirectory, runCommand, SVC_SERVER, startServer } from "../harness/processes.ts";
import { processorTotal } from "../harness/processor.ts";
import { figureOf } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import { type DatabaseKind, makeStore } from "../harness/store.ts";

/** Documents a second that are wanted of an import. */
const WANTED = 300;
const FOLDERS = 50;

/** `svc import` of a folder of documents that people wrote, from the start of the command to its end. */
export async function measureImport(run: Run, kind: DatabaseKind): Promise<void> {
  const { documents } = run.scale;
  const store = await makeStore(kind);
  const folder = makeDirectory();
  for (const [i, text] of realArticles(documents, 8).entries()) {
    const place = join(folder.path, `folder ${i % FOLDERS}`);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `document ${i}.md`), text);
  }
  const svc = await startServer(SVC_SERVER, store.settings);
  try {
    const token = (store.headers.authorization ?? "").replace("Bearer ", "");
    const [before, began] = [processorTotal(svc.pid), performance.now()];
    await runCommand({ SVC_URL: svc.address, SVC_TOKEN: token }, "import", folder.path);
    const seconds = (performance.now() - began) / 1000;
    const processor = (processorTotal(svc.pid) - before) / 1e6;
    run.row({
      part: `real-${kind}`,
      operation: `svc import of ${documents} documents (${kind})`,
      against: "what the server's own processor time allows",
      unit: "documents a second",
      cells: [{ limit: figureOf([documents / processor]), ours: figureOf([documents / seconds]) }],
      goal: { kind: "least", value: WANTED },
      bound: "parsing Markdown, then indexing every block; one document after the other",
    });
  } finally {
    await svc.stop();
    folder.remove();
    await store.remove();
  }
}
