import { codeOf, messageOf } from "@svc/document/thrown";
import { ApiError, type Client } from "@svc/sdk";
import { ChangedMeanwhile, type Disk, type Scan } from "./disk.ts";
import { directoryOf, folded, join, nameOf } from "./names.ts";
import type { Remote } from "./remote.ts";
import type { Action, Problem, Report } from "./report.ts";
import type { Store } from "./store.ts";

/** An error that concerns one file only. */
const FILE_ERRORS = new Set(["EACCES", "EPERM", "ENAMETOOLONG", "EINVAL", "EISDIR", "EROFS", "ENOENT", "ENOTDIR"]);

/** One look at both sides: what stands where, and what was done and could not be done. */
export class Look {
  readonly client: Client;
  readonly disk: Disk;
  readonly store: Store;
  readonly knowledgeBase: number;
  readonly remote: Remote;
  /** Time after which what is empty or gone is looked at again. */
  readonly lookAgainMs: number;
  readonly signal: AbortSignal | undefined;
  readonly report: Report = { actions: [], problems: [], notCarried: [] };
  /** Documents whose text was sent in this pass: only for them is reported what could not be carried. */
  readonly sent = new Set<string>();
  /** Documents whose files the service has moved in this pass. */
  readonly moved = new Set<string>();
  readonly #onAction: ((action: Action) => void) | undefined;
  readonly #taken = new Set<string>();
  /** Files by their names alone. */
  readonly #named = new Map<string, string>();
  /** Maps documents to their current or future files, and back. */
  readonly #places = new Map<string, string>();
  readonly #documents = new Map<string, string>();
  scan: Scan;

  constructor(parts: LookParts) {
    this.client = parts.client;
    this.disk = parts.disk;
    this.store = parts.store;
    this.knowledgeBase = parts.knowledgeBase;
    this.remote = parts.remote;
    this.lookAgainMs = parts.lookAgainMs;
    this.signal = parts.signal;
    this.#onAction = parts.onAction;
    this.scan = parts.scan;
    this.see(parts.scan);
  }

  see(scan: Scan): void {
    this.scan = scan;
    this.#taken.clear();
    this.#named.clear();
    for (const path of scan.entries) this.take(path);
  }

  /** Paths that are in use, in the form in which they are compared. */
  take(path: string): void {
    this.#taken.add(folded(path));
    const name = folded(nameOf(path));
    if (!this.#named.has(name)) this.#named.set(name, path);
  }

  /** The file at a path, or else the first of that name, as wiki links name files. */
  fileNamed(target: string): string | undefined {
    return this.isTaken(target) ? target : this.#named.get(folded(nameOf(target)));
  }

  /** A document's file is, or will be, at this path. */
  settle(id: string, path: string): void {
    const before = folded(this.#places.get(id) ?? path);
    if (this.#documents.get(before) === id) this.#documents.delete(before);
    this.#places.set(id, path);
    this.#documents.set(folded(path), id);
  }

  readonly pathOf = (id: string): string | undefined => this.#places.get(id);
  readonly documentAt = (path: string): string | undefined => this.#documents.get(folded(path));

  /** The document that a link to a path leads to: without its ending, or as a book is built from it, too. */
  leadsTo(path: string): string | undefined {
    const found = this.documentAt(path) ?? this.documentAt(`${path}.md`);
    if (found !== undefined || !/\.html?$/i.test(path) || this.isTaken(path)) return found;
    const base = path.replace(/\.html?$/i, "");
    const isIndex = nameOf(base) === "index";
    return (
      this.documentAt(`${base}.md`) ?? (isIndex ? this.documentAt(join(directoryOf(base), "README.md")) : undefined)
    );
  }

  free(path: string): void {
    this.#taken.delete(folded(path));
  }

  readonly isTaken = (path: string): boolean => this.#taken.has(folded(path));

  /** Whether a path lies in a directory that may not be looked into: it may be there, and is left alone. */
  isClosed(path: string): boolean {
    return this.scan.closed.some((directory) => path.startsWith(`${directory}/`));
  }

  did(action: Action["action"], path: string): void {
    this.report.actions.push({ action, path });
    this.#onAction?.({ action, path });
  }

  problem(path: string, message: string): void {
    addOnce(this.report.problems, { path, message });
  }

  /** The other side does not have all of it; the file stays as it is. */
  leave(path: string, message: string): void {
    addOnce(this.report.notCarried, { path, message });
  }

  /** A step for one path. What concerns that path alone is noted, and the others go on. */
  async attempt(path: string, step: () => Promise<void>): Promise<void> {
    this.signal?.throwIfAborted();
    try {
      await step();
    } catch (error) {
      if (!isOwnTrouble(error)) throw error;
      // The noted step was refused or not taken: it is not to be repeated as it was.
      if (this.store.intent) await this.store.done();
      this.problem(path, messageOf(error));
    }
  }
}

function addOnce(list: Problem[], { path, message }: Problem): void {
  if (!list.some((one) => one.path === path && one.message === message)) list.push({ path, message });
}

interface LookParts {
  readonly client: Client;
  readonly disk: Disk;
  readonly store: Store;
  readonly knowledgeBase: number;
  readonly remote: Remote;
  readonly scan: Scan;
  readonly lookAgainMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onAction: ((action: Action) => void) | undefined;
}

/** Whether what went wrong concerns one path alone. */
export function isOwnTrouble(error: unknown): boolean {
  if (error instanceof ApiError)
    return error.status !== 401 && error.status < 429 && error.code !== "idempotency_in_progress";
  if (error instanceof ChangedMeanwhile) return true;
  return FILE_ERRORS.has(codeOf(error));
}
