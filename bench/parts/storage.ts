import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { defined } from "@svc/document/defined";
import { paragraphs, sentence } from "../corpus/text.ts";
import type { Run } from "../harness/run.ts";
import { blockPath, type Stand } from "../harness/stand.ts";
import { most } from "./operation.ts";
import type { Task } from "./task.ts";

const part = "process";
const operation = "20 snapshots of a 1 MB body, one block edited each";

export const storage: Task = { part, operations: [operation], measure: measureStorage };

/** How many bytes the history of a large body takes. */
async function measureStorage(run: Run, stand: Stand): Promise<void> {
  const { api, random, base, store } = stand;
  const bytes = run.scale.effort < 0.1 ? 50_000 : 1_000_000;
  const { id } = await api.data("POST", "/api/v1/documents", {
    title: "Large",
    knowledge_base_id: base,
    content: { format: "markdown", content: paragraphs(random, bytes / 500, 80) },
  });
  const blocks: { id: string }[] = await api.data("GET", `/api/v1/documents/${id}/blocks`);
  const before = storedBytes(store.directory, id);
  for (let i = 0; i < 20; i++)
    await api.text("PATCH", blockPath(id, defined(blocks[(i * 7919) % blocks.length]).id), {
      node: { type: "paragraph", content: [{ type: "text", text: sentence(random, 80) }] },
    });
  const after = storedBytes(store.directory, id);
  const figure = (value: number) => ({ value: value / 1e6, low: value / 1e6, high: value / 1e6 });
  run.row({
    part,
    operation,
    against: "svc, the body without history",
    unit: "MB stored",
    cells: [{ limit: figure(before), ours: figure(after) }],
    goal: most(1.2),
    bound: "an edit stores the segments that it touches, not the body",
  });
}

/** Bytes of the rows that hold a body and its history. */
function storedBytes(directory: string, id: string): number {
  const db = new DatabaseSync(join(directory, "svc.db"), { readOnly: true });
  const bytes = (expression: string, table: string) =>
    Number(
      defined(db.prepare(`select coalesce(sum(${expression}), 0) as n from ${table} where document_id = ?`).get(id)).n,
    );
  const total =
    bytes("length(content) + coalesce(length(markdown), 0) + coalesce(length(html), 0)", "segments") +
    bytes("length(manifest) + length(steps)", "bodies") +
    bytes("length(source) + coalesce(length(warnings), 0)", "body_sources") +
    bytes("length(html)", "body_html") +
    bytes("length(manifest) + length(dropped)", "snapshots");
  db.close();
  return total;
}
