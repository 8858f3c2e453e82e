import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { DocumentError, type DocumentErrorCode } from "@svc/document/errors";
import { asError } from "@svc/document/thrown";
import type { Node } from "@svc/document/types";
import { fromThread, type NewBody } from "../../bodies/new-body.ts";
import type { ParseRules, SentContent } from "./parse-blocks.ts";

/** Markdown of this many characters takes some ten milliseconds to parse; what is longer does not hold up others. */
const LONG = 100_000;
/** What is shorter is made sooner than it is handed over. */
const WORTHWHILE = 2000;
/** Bodies that may wait for the thread; further ones are made where they are asked for. */
const MOST_WAITING = 32;
/** A thread that nobody has needed for so long is ended, as it takes some 50 MB; bodies that are rarer start none. */
const IDLE_MS = 20_000;
/** After a thread has failed, bodies are made here for so long before another is started. */
const FAILURE_MS = 10_000;
/** Bodies live for milliseconds: more room for them would only be more memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };

export interface ParseTask extends ParseRules {
  readonly id: number;
  readonly content: SentContent;
  /** JSON of the blocks that anchors refer to. Without it, a whole body is made of new blocks. */
  readonly previous?: string;
}

/** Said by the thread when it has loaded all that it needs. */
export const READY = "ready";

export interface ParseReply {
  readonly id: number;
  readonly json?: string;
  readonly body?: NewBody;
  readonly refusal?: {
    readonly code: DocumentErrorCode;
    readonly message: string;
    readonly details: Record<string, unknown>;
  };
  readonly failure?: string;
}

interface Waiting {
  readonly isLong: boolean;
  readonly resolve: (reply: ParseReply) => void;
  readonly reject: (error: Error) => void;
}

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let isReady = false;
let lastWanted = Number.NEGATIVE_INFINITY;
let lastFailure = Number.NEGATIVE_INFINITY;
let nextId = 1;
const waiting = new Map<number, Waiting>();

export const isLong = (content: SentContent): boolean => content.format === "markdown" && content.content.length > LONG;

/** Parses in another thread, one body after the other. */
export async function parseAside(task: Omit<ParseTask, "id"> & { previous: string }): Promise<readonly Node[]> {
  return JSON.parse((await ask(task)).json ?? "[]");
}

/**
 * Whether a body is better made in the thread, while this one goes on with other requests. What is long always is. Where
 * there is no thread yet but a core for one, it is started for the bodies that follow.
 */
export function isForThread(content: SentContent, workers: number): boolean {
  if (isLong(content)) return true;
  if (content.format !== "markdown" || content.content.length < WORTHWHILE) return false;
  if (availableParallelism() < 2 * workers) return false;
  if (!worker) startIfWanted();
  return isReady && waiting.size < MOST_WAITING && waiting.values().every((task) => !task.isLong);
}

function startIfWanted(): void {
  const now = performance.now();
  const isWantedOften = now - lastWanted < IDLE_MS;
  lastWanted = now;
  if (!isWantedOften || now - lastFailure < FAILURE_MS) return;
  try {
    worker = startWorker();
  } catch {
    // The system has no thread for us.
    lastFailure = now;
  }
}

/** A body of new blocks, made in the thread; undefined where that failed, and it may be made here. */
export async function makeAside(content: SentContent, rules: ParseRules): Promise<NewBody | undefined> {
  const made = ask({ content, ...rules });
  const { body } = await (isLong(content) ? made : made.catch(unlessRefused));
  return body && fromThread(body);
}

function unlessRefused(error: unknown): Partial<ParseReply> {
  if (error instanceof DocumentError) throw error;
  return {};
}

function ask(task: Omit<ParseTask, "id">): Promise<ParseReply> {
  const id = nextId++;
  return new Promise((resolve, reject) => {
    worker ??= startWorker();
    worker.postMessage({ ...task, id } satisfies ParseTask);
    waiting.set(id, { isLong: isLong(task.content), resolve, reject });
    worker.ref();
    clearTimeout(idle);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL("./parse-worker.ts", import.meta.url), { resourceLimits });
  started.on("message", (reply: ParseReply | typeof READY) => {
    if (reply !== READY) settle(reply);
    else isReady = true;
  });
  started.on("error", (error) => giveUp(started, asError(error)));
  started.on("exit", () => giveUp(started, new Error("The parsing thread has ended.")));
  rest(started);
  return started;
}

/** It keeps no process alive, and ends if nothing comes. */
function rest(resting: Worker): void {
  resting.unref();
  clearTimeout(idle);
  idle = setTimeout(() => {
    forget();
    void resting.terminate();
  }, IDLE_MS).unref();
}

function forget(): void {
  worker = undefined;
  isReady = false;
}

function settle(reply: ParseReply): void {
  const { id, refusal, failure } = reply;
  const task = waiting.get(id);
  waiting.delete(id);
  if (waiting.size === 0 && worker) rest(worker);
  if (refusal) task?.reject(new DocumentError(refusal.code, refusal.message, refusal.details));
  else if (failure !== undefined) task?.reject(new Error(failure));
  else task?.resolve(reply);
}

/** What was waiting for a thread that is gone fails; the next body starts a new one. */
function giveUp(gone: Worker, error: Error): void {
  if (worker !== gone) return;
  forget();
  lastFailure = performance.now();
  for (const task of waiting.values()) task.reject(error);
  waiting.clear();
}
