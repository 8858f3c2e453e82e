import { availableParallelism } from "node:os";
import { Piscina } from "piscina";

/** How long an idle thread is kept: it takes some 50 MB. */
const IDLE_MS = 20_000;
/** The maximum of tasks that wait for a thread; further ones are refused. */
const MAX_QUEUE = 64;
/** A task that needs more memory fails, and the process lives. */
const MAX_HEAP_MB = 512;

let pool: Piscina | undefined;

/** One pool for the process, started with the first task, for work on user input that could delay other requests. */
function openPool(): Piscina {
  pool ??= new Piscina({
    minThreads: 0,
    maxThreads: Math.max(1, Math.min(4, availableParallelism() - 1)),
    idleTimeout: IDLE_MS,
    maxQueue: MAX_QUEUE,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  return pool;
}

/** The functions that a worker file exports: each takes and returns one value that can be cloned. */
export type Tasks = Readonly<Record<string, (input: never) => unknown>>;

/** Runs a function of a worker file in a thread of the pool. A thread that takes longer than `deadlineMs` is ended. */
export async function runAside<Of extends Tasks, Name extends keyof Of & string>(
  worker: URL,
  name: Name,
  input: Parameters<Of[Name]>[0],
  deadlineMs: number,
): Promise<Awaited<ReturnType<Of[Name]>>> {
  return openPool().run(input, { filename: worker.href, name, signal: AbortSignal.timeout(deadlineMs) });
}

let background: Piscina | undefined;

/** Runs a function of a worker file in the one thread for long work that nobody waits for. */
export async function runInBackground<Of extends Tasks, Name extends keyof Of & string>(
  worker: URL,
  name: Name,
  input: Parameters<Of[Name]>[0],
  deadlineMs: number,
): Promise<Awaited<ReturnType<Of[Name]>>> {
  background ??= new Piscina({
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    maxQueue: MAX_QUEUE,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  return background.run(input, { filename: worker.href, name, signal: AbortSignal.timeout(deadlineMs) });
}

/** The number of tasks that the pool has finished. */
export const finishedTasks = (): number => pool?.completed ?? 0;

/** Whether a task ended because it took too long. */
export const isTooSlow = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

/** Whether a task was given up because it took too long, or refused because too many wait. */
export const isOverloaded = (error: unknown): boolean =>
  isTooSlow(error) || (error instanceof Error && error.message === "Task queue is at limit");
