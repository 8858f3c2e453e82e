import { availableParallelism } from "node:os";
import { DocumentError } from "@svc/document/errors";
import type { Node } from "@svc/document/types";
import { Piscina } from "piscina";
import { fromThread, type NewBody } from "../new-body.ts";
import type { ParseRules, SentContent } from "./parse-blocks.ts";
import type * as tasks from "./parse-worker.ts";
import { errorOf } from "./refusal.ts";

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

let pool: Piscina | undefined;
let isReady = false;
let waiting = 0;
let longWaiting = 0;
let lastWanted = Number.NEGATIVE_INFINITY;
let lastFailure = Number.NEGATIVE_INFINITY;

/** One thread that is sent bodies without waiting for its answers, so that it never runs dry. */
function openPool(): Piscina {
  pool ??= new Piscina({
    filename: new URL("./parse-worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    concurrentTasksPerWorker: 2 * MAX_WAITING,
    idleTimeout: IDLE_MS,
    recordTiming: false,
    // Bodies live for milliseconds, so more room for them would only waste memory.
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  })
    .on("workerCreate", () => {
      isReady = true;
    })
    .on("workerDestroy", () => {
      isReady = false;
    })
    .on("error", () => {
      lastFailure = performance.now();
    });
  return pool;
}

/** The number of tasks that the worker has ended. */
export const tasksEnded = (): number => pool?.completed ?? 0;

export const isLong = (content: SentContent): boolean =>
  content.format === "markdown" && content.content.length > LONG_CHARS;

/** Parses in the worker, one body after the other. */
export async function parseInWorker(task: tasks.ParseTask): Promise<readonly Node[]> {
  return JSON.parse((await ask("parse", task)).json);
}

/**
 * Whether the worker should make a body while this thread continues with other requests. Long bodies always go there.
 * If there is no worker yet but a core for one, this starts it for the next bodies.
 */
export function isForThread(content: SentContent, workers: number): boolean {
  if (isLong(content)) return true;
  if (content.format !== "markdown" || content.content.length < MIN_WORKER_CHARS) return false;
  if (availableParallelism() < 2 * workers) return false;
  if (!isReady) startIfWanted();
  return isReady && waiting < MAX_WAITING && longWaiting === 0;
}

function startIfWanted(): void {
  const now = performance.now();
  const isWantedOften = now - lastWanted < IDLE_MS;
  lastWanted = now;
  if (!isWantedOften || now - lastFailure < FAILURE_MS || openPool().threads.length > 0) return;
  openPool()
    .run(undefined, { name: "start" })
    .catch(() => {
      // The system could not create a thread.
      lastFailure = performance.now();
    });
}

/** Makes a body of new blocks in the worker; returns undefined if that failed and this thread may make it. */
export async function makeInWorker(content: SentContent, rules: ParseRules): Promise<NewBody | undefined> {
  const made = ask("make", { content, ...rules });
  if (isLong(content)) return fromThread((await made).body);
  const outcome = await made.catch(unlessRefused);
  return outcome && fromThread(outcome.body);
}

function unlessRefused(error: unknown): undefined {
  if (error instanceof DocumentError) throw error;
}

type Outcome<Name extends "parse" | "make"> = Exclude<ReturnType<(typeof tasks)[Name]>, { readonly refusal: unknown }>;

async function ask<Name extends "parse" | "make">(
  name: Name,
  task: Parameters<(typeof tasks)[Name]>[0],
): Promise<Outcome<Name>> {
  const long = isLong(task.content) ? 1 : 0;
  waiting++;
  longWaiting += long;
  try {
    const outcome = await openPool().run(task, { name });
    if (outcome.refusal) throw errorOf(outcome.refusal);
    return outcome;
  } catch (error) {
    if (!isReady) lastFailure = performance.now();
    throw error;
  } finally {
    waiting--;
    longWaiting -= long;
  }
}
