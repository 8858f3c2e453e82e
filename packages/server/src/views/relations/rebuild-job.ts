import type { ViewWork } from "../../bodies/view.ts";
import type { Database, Reader, Tx } from "../../db/database.ts";
import { yieldToEventLoop } from "../../db/statement/batches.ts";
import { listViewStates } from "../../domain/knowledge/relations/document-queries.ts";
import { getDocument } from "../../domain/library/documents/queries.ts";
import { ApiError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { type JobKind, succeeded } from "../../jobs/job.ts";
import { insertJob } from "../../jobs/queries.ts";
import type { Services } from "../../services.ts";
import { rebuild } from "./update-links.ts";

const kind = "rebuild_relations";
/** The number of documents looked up at once. */
const STEP = 200;

/** Requests a job that computes the links of all of a workspace's documents again, in the background. */
export const requestRebuild = (tx: Tx, workspaceId: string) =>
  insertJob(tx, { workspaceId, id: newId("rjob"), kind, payload: {}, createdBy: "" }, () => undefined);

export const rebuildJob: JobKind = {
  kind,
  async run({ workspace_id }, { database }, { signal }) {
    const ids = documentIds((after) => listIds(database.read, workspace_id, after));
    const rebuilt = await rebuildAll(database, workspace_id, ids, signal);
    return async () => succeeded({ rebuilt });
  },
};

/** When the server starts, repairs rows that an older release has left. */
export function startRelations(app: Pick<Services, "database" | "log">): ViewWork {
  const stop = new AbortController();
  const running = repairStale(app.database, stop.signal).catch((error) => {
    if (!stop.signal.aborted) app.log.warn({ err: error }, "rebuilding stale relations failed");
  });
  return {
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}

async function repairStale(database: Database, signal: AbortSignal): Promise<void> {
  const workspaces = await database.read.selectFrom("workspaces").select("id").execute();
  for (const { id } of workspaces) {
    if (signal.aborted) return;
    const ids = documentIds((after) => listStale(database.read, id, after));
    await rebuildAll(database, id, ids, signal);
  }
}

type Listed = { readonly id: string; readonly is_wanted: number };

/** Yields the wanted ids in order, with a pause for other work now and then. */
async function* documentIds(list: (after: string) => Promise<Listed[]>): AsyncGenerator<string> {
  for (let after = ""; ; ) {
    const rows = await list(after);
    for (const row of rows) if (row.is_wanted) yield row.id;
    const last = rows.at(-1);
    if (!last || rows.length < STEP) return;
    after = last.id;
    await yieldToEventLoop();
  }
}

const listIds = async (db: Reader, workspaceId: string, after: string): Promise<Listed[]> => {
  const rows = await db
    .selectFrom("documents")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(STEP)
    .execute();
  return rows.map(({ id }) => ({ id, is_wanted: 1 }));
};

const listStale = async (db: Reader, workspaceId: string, after: string): Promise<Listed[]> => {
  const rows = await listViewStates(db, workspaceId, after, STEP);
  return rows.map(({ id, is_current }) => ({ id, is_wanted: is_current ? 0 : 1 }));
};

/** Rebuilds each document in its own transaction, so that no writer waits for more than one. */
async function rebuildAll(
  database: Database,
  workspaceId: string,
  ids: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<number> {
  let rebuilt = 0;
  for await (const id of ids) {
    signal.throwIfAborted();
    if (await rebuildOne(database, workspaceId, id)) rebuilt++;
    await yieldToEventLoop();
  }
  return rebuilt;
}

/** Returns false if the document was deleted meanwhile. */
async function rebuildOne({ transaction }: Database, workspaceId: string, id: string): Promise<boolean> {
  try {
    await transaction(async (tx) => rebuild(tx, await getDocument(tx, workspaceId, id)));
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return false;
    throw error;
  }
}
