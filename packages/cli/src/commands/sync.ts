import { messageOf } from "@svc/document/thrown";
import type { Command } from "commander";
import { findKnowledgeBase } from "../address/find-knowledge-base.ts";
import { CommandError } from "../command-error.ts";
import { connect } from "../connect.ts";
import { EXIT } from "../exit-codes.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { counted, note, print, printLines, quoted } from "../output.ts";
import { FolderInUse } from "../sync/lock.ts";
import type { Action } from "../sync/report.ts";
import { TooManyDeletions } from "../sync/sync-documents.ts";
import { type SyncOptions, type SyncResult, syncFolder, WrongFolder } from "../sync/sync-folder.ts";
import { watchFolder } from "../sync/watch-folder.ts";

interface Options extends ServerOptions {
  readonly watch?: boolean;
  readonly force?: boolean;
}

async function run(directory: string, kb: string | undefined, options: Options): Promise<void> {
  const client = connect(options);
  const knowledgeBase = kb === undefined ? undefined : (await findKnowledgeBase(client, kb)).id;
  const onAction = (action: Action) => {
    if (!options.json) printLines([shownAction(action)]);
  };
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Stopped()));
  const sync = { client, directory, knowledgeBase, allowDeletions: options.force, onAction, signal: stop.signal };
  try {
    if (options.watch) await watch(sync, options);
    else tell(await syncFolder(sync), options);
  } catch (error) {
    if (!(error instanceof Stopped)) throw explained(error, directory);
  }
  if (stop.signal.aborted) process.exitCode = EXIT.interrupted;
}

class Stopped extends Error {}

async function watch(sync: SyncOptions & { readonly signal: AbortSignal }, options: Options): Promise<void> {
  let first = true;
  const onRun = (result: SyncResult) => {
    tell(result, options);
    if (first) note("Watching both sides; Ctrl-C ends it.");
    first = false;
  };
  const onTrouble = (error: Error) => note(`${error.message} Trying again …`);
  await watchFolder({ ...sync, onRun, onTrouble });
}

/** Prints what a run did and failed to do; with `--json`, one object per run that did anything. */
function tell({ directory, knowledgeBase, actions, problems, notCarried }: SyncResult, options: Options): void {
  const conflicts = actions.filter(({ action }) => action === "conflict").map(({ path }) => path);
  const summary = {
    directory,
    knowledge_base_id: knowledgeBase,
    actions,
    conflicts,
    problems,
    not_carried: notCarried,
  };
  const quiet = options.watch && actions.length === 0 && problems.length === 0;
  const equal = problems.length === 0 ? "are equal" : `are equal but for ${counted(problems.length, "thing")}`;
  if (!quiet) print(options, summary, [`${directory} and kb:${knowledgeBase} ${equal} (${changes(actions)}).`]);
  for (const { path, message } of [...notCarried, ...problems]) note(`svc: ${path}: ${message}`);
  if (conflicts.length > 0)
    note(
      `svc: ${counted(conflicts.length, "conflict")}: your text is in the file beside; merge it by hand, then remove it.`,
    );
  if (problems.length > 0) process.exitCode = EXIT.failure;
  else if (conflicts.length > 0) process.exitCode = EXIT.conflict;
}

const changes = (actions: readonly Action[]): string =>
  actions.length === 0 ? "nothing to do" : counted(actions.length, "change");

const verbs: Readonly<Record<Action["action"], string>> = {
  pull: "↓ changed",
  push: "↑ changed",
  merge: "↕ merged",
  conflict: "! kept",
  create_document: "↑ new",
  create_file: "↓ new",
  delete_document: "↑ deleted",
  delete_file: "↓ deleted",
  move_document: "↑ moved",
  move_file: "↓ moved",
  create_folder: "↑ new",
  create_directory: "↓ new",
  move_folder: "↑ moved",
  move_directory: "↓ moved",
  delete_folder: "↑ deleted",
  delete_directory: "↓ deleted",
};

const shownAction = ({ action, path }: Action): string =>
  `${verbs[action].padEnd(10)} ${path}${/folder|directory/.test(action) ? "/" : ""}`;

function explained(error: unknown, directory: string): unknown {
  const message = messageOf(error);
  if (error instanceof TooManyDeletions)
    return new CommandError(EXIT.failure, message, {
      code: "too_many_deletions",
      next: [`svc sync ${quoted(directory)} --force`],
      details: { count: error.count },
    });
  if (error instanceof WrongFolder)
    return new CommandError(EXIT.usage, message, { next: ["svc kb", `svc sync ${quoted(directory)} <kb>`] });
  if (error instanceof FolderInUse) return new CommandError(EXIT.failure, message, { code: "folder_in_use" });
  return error;
}

export function define(command: Command): void {
  withServer(command)
    .argument("<folder>", "with the Markdown files; made when it is not there")
    .argument("[kb]", "name or id of a knowledge base; needed the first time")
    .option("--watch", "go on, and follow the changes of both sides")
    .option("--force", "also when most of the documents would be deleted")
    .addHelpText(
      "after",
      "\n↑ went to the server, ↓ to the folder. Where both sides changed the same paragraph, the file gets the server's text\nand yours stays beside it as name.conflict-<version>.md. It may be interrupted at any time; run it again.",
    )
    .action(run);
}
