import { access, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "@svc/document/defined";
import { codeOf } from "@svc/document/thrown";
import type { Client } from "@svc/sdk";
import { failure } from "../command-error.ts";
import { type Disk, FolderDisk, PRIVATE, removeUnfinished } from "./disk.ts";
import { withLock } from "./lock.ts";
import { Pass } from "./pass.ts";
import { readRemote } from "./remote.ts";
import type { Action, Problem, Report } from "./report.ts";
import { finishIntent } from "./steps.ts";
import { FolderStateFiles, type StateFiles, Store } from "./store.ts";
import { syncDocuments } from "./sync-documents.ts";
import { pushDirectories, removeLeftovers, syncFolders } from "./sync-folders.ts";

/** While others keep changing files a run would never end; the next run handles the rest. */
const MAX_PASSES = 5;
const LOOK_AGAIN_MS = 1000;

export interface SyncOptions {
  readonly client: Client;
  readonly directory: string;
  /** Needed the first time; later the folder knows it. */
  readonly knowledgeBase?: number | undefined;
  /** Do not ask when a run would delete most of the documents. */
  readonly allowDeletions?: boolean | undefined;
  /** Time after which a file that is empty or gone is looked at again, before that counts. */
  readonly lookAgainMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onAction?: ((action: Action) => void) | undefined;
  /** Instead of the real files, for tests that interrupt a run anywhere. */
  readonly disk?: Disk;
  readonly stateFiles?: StateFiles;
}

export interface SyncResult extends Report {
  readonly directory: string;
  readonly knowledgeBase: number;
}

/** The folder is not linked to a knowledge base yet, or to another one. */
export class WrongFolder extends Error {
  override readonly name = "WrongFolder";
}

/**
 * Makes a folder of Markdown files and a knowledge base equal. It may be interrupted anywhere: the next run goes on
 * from there. Ends when a pass over both sides has found nothing to do.
 */
export async function syncFolder(options: SyncOptions): Promise<SyncResult> {
  if (options.knowledgeBase === undefined) await knowsItsPlace(options.directory);
  await mkdir(options.directory, { recursive: true }).catch((error) => {
    throw codeOf(error) === "EEXIST" ? failure(`${options.directory} is not a folder.`) : error;
  });
  const directory = await realpath(options.directory);
  return withLock(directory, async () => {
    await removeUnfinished(directory);
    const disk = options.disk ?? new FolderDisk(directory);
    const store = new Store(options.stateFiles ?? new FolderStateFiles(directory));
    await store.load();
    const knowledgeBase = await belongTo(store, options, directory);
    await finishIntent({ disk, store, client: options.client, signal: options.signal });
    const actions: Action[] = [];
    const notCarried: Problem[] = [];
    for (let passes = 1; ; passes++) {
      const report = await runPass({ ...options, disk, store, knowledgeBase });
      actions.push(...report.actions);
      notCarried.push(...report.notCarried);
      if (report.actions.length === 0 || passes >= MAX_PASSES)
        return { directory, knowledgeBase, actions, problems: report.problems, notCarried };
    }
  });
}

/** Fails, before anything is made, for a folder that has never been synchronised. */
async function knowsItsPlace(directory: string): Promise<void> {
  await access(join(directory, PRIVATE)).catch(() => {
    throw unknownPlace(directory);
  });
}

const unknownPlace = (directory: string) => new WrongFolder(`Say which knowledge base ${directory} belongs to.`);

/** The folder's knowledge base, noted at the first time. A folder never changes it: that would delete everything. */
async function belongTo(store: Store, { client, knowledgeBase }: SyncOptions, directory: string): Promise<number> {
  const known = store.settings;
  const anew = `To begin anew, remove ${directory}/.svc-sync first; the files stay.`;
  if (!known) {
    if (knowledgeBase === undefined) throw unknownPlace(directory);
    await client.get("/knowledge-bases/{id}", { path: { id: knowledgeBase } });
    await store.saveSettings({ format: 1, base_url: client.baseUrl, knowledge_base_id: knowledgeBase, cursor: null });
    return knowledgeBase;
  }
  if (known.base_url !== client.baseUrl)
    throw new WrongFolder(`${directory} belongs to ${known.base_url}, not to ${client.baseUrl}. ${anew}`);
  if (knowledgeBase !== undefined && knowledgeBase !== known.knowledge_base_id)
    throw new WrongFolder(`${directory} belongs to the knowledge base ${known.knowledge_base_id}. ${anew}`);
  return known.knowledge_base_id;
}

async function runPass(
  options: SyncOptions & { readonly disk: Disk; readonly store: Store; readonly knowledgeBase: number },
): Promise<Report> {
  const { client, disk, store, knowledgeBase, signal, onAction, lookAgainMs = LOOK_AGAIN_MS } = options;
  const settings = defined(store.settings);
  const remote = await readRemote(client, settings, signal);
  const scan = await disk.scan();
  const pass = new Pass({ client, disk, store, knowledgeBase, remote, signal, onAction, lookAgainMs, scan });
  tellUnreadable(pass);
  if (remote.isPutBack)
    pass.leave(".", "The server was put back to an earlier state; what was written here since then is kept.");
  const leftovers = await syncFolders(pass);
  await syncDocuments(pass, options.allowDeletions ?? false);
  await removeLeftovers(pass, leftovers);
  pass.see(await disk.scan());
  await pushDirectories(pass);
  // A document that could not be dealt with has to be looked at again, also without a new event.
  const again = remote.isPutBack ? null : settings.cursor;
  const cursor = pass.report.problems.length === 0 ? remote.cursor : again;
  const newest = remote.cursor;
  const { history = settings.history } = remote;
  if (cursor !== settings.cursor || newest !== settings.newest || history !== settings.history)
    await store.saveSettings({ ...settings, cursor, newest, ...(history !== undefined && { history }) });
  return pass.report;
}

function tellUnreadable(pass: Pass): void {
  const { scan } = pass;
  for (const link of scan.links) pass.problem(link, "This is a link, which is not followed.");
  for (const path of scan.closed) pass.problem(path, "This may not be opened, and what is in it is left alone.");
  for (const path of scan.nameless) pass.problem(path, "Its name is not UTF-8 text, and it is left alone.");
}
