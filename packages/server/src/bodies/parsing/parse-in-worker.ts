import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { DocumentError } from "@svc/document/errors";
import { asError } from "@svc/document/thrown";
import type { Node } from "@svc/document/types";
import { fromThread, type NewBody } from "../new-body.ts";
import type { ParseRules, SentContent } from "./parse-blocks.ts";
import { errorOf, type Refusal } from "./refusal.ts";

/** Markdown of this many characters takes some ten milliseconds to parse. Longer Markdown is parsed in the worker. */
export const LONG_CHARS = 100_000;
/** Making a shorter body takes less time than sending it to the worker. */
const MIN_WORKER_CHARS = 2000;
/** The maximum of bodies that wait for the worker; further ones are made in the calling thread. */
const MAX_WAITING = 32;
/** An unused worker ends after this time, because it takes some 50 MB. Bodies that come less often start none. */
const IDLE_MS = 20_000;
/** After a worker has failed, bodies are made in the calling thread for this long before another one is started. */
const FAILURE_MS = 10_000;
/** Bodies live for milliseconds, so more room for them would only waste memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };

export interface ParseTask extends ParseRules {
  readonly id: number;
  readonly content: SentContent;
  /** JSON of the blocks that anchors refer to. Without it, a whole body is made of new blocks. */
  readonly previous?: string;
}

/** Sent by the worker when it has loaded its modules. */
export const READY = "ready";

export interface ParseReply {
  readonly id: number;
  readonly json?: string;
  readonly body?: NewBody;
  readonly refusal?: Refusal;
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

export const isLong = (content: SentContent): boolean =>
  content.format === "markdown" && content.content.length > LONG_CHARS;

/** Parses in the worker, one body after the other. */
export async function parseInWorker(task: Omit<ParseTask, "id"> & { previous: string }): Promise<readonly Node[]> {
  return JSON.parse((await ask(task)).json ?? "[]");
}

/**
 * Whether the worker should make a body while this thread continues with other requests. Long bodies always go there.
 * If there is no worker yet but a core for one, this starts it for the next bodies.
 */
export function isForThread(content: SentContent, workers: number): boolean {
  if (isLong(content)) return true;
  if (content.format !== "markdown" || content.content.length < MIN_WORKER_CHARS) return false;
  if (availableParallelism() < 2 * workers) return false;
  if (!worker) startIfWanted();
  return isReady && waiting.size < MAX_WAITING && waiting.values().every((task) => !task.isLong);
}

function startIfWanted(): void {
  const now = performance.now();
  const isWantedOften = now - lastWanted < IDLE_MS;
  lastWanted = now;
  if (!isWantedOften || now - lastFailure < FAILURE_MS) return;
  try {
    worker = startWorker();
  } catch {
    // The system could not create a thread.
    lastFailure = now;
  }
}

/** Makes a body of new blocks in the worker; returns undefined if that failed and this thread may make it. */
export async function makeInWorker(content: SentContent, rules: ParseRules): Promise<NewBody | undefined> {
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

/** Lets the idle worker keep no process alive, and ends it if no body arrives. */
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
  if (refusal) task?.reject(errorOf(refusal));
  else if (failure !== undefined) task?.reject(new Error(failure));
  else task?.resolve(reply);
}

/** Fails all bodies that wait for a worker that has ended; the next body starts a new one. */
function giveUp(gone: Worker, error: Error): void {
  if (worker !== gone) return;
  forget();
  lastFailure = performance.now();
  for (const task of waiting.values()) task.reject(error);
  waiting.clear();
}
