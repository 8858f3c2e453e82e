import { Worker } from "node:worker_threads";
import { DocumentError, type DocumentErrorCode } from "@svc/document/errors";
import { asError } from "@svc/document/thrown";
import type { Node } from "@svc/document/types";
import type { ParseRules, SentContent } from "./parse-blocks.ts";

/** Markdown of this many characters takes some ten milliseconds to parse; what is longer does not hold up others. */
const LONG = 100_000;

export interface ParseTask extends ParseRules {
  readonly id: number;
  readonly content: SentContent;
  /** JSON of the blocks that anchors refer to. */
  readonly previous: string;
}

export interface ParseReply {
  readonly id: number;
  readonly json?: string;
  readonly refusal?: {
    readonly code: DocumentErrorCode;
    readonly message: string;
    readonly details: Record<string, unknown>;
  };
  readonly failure?: string;
}

interface Waiting {
  readonly resolve: (blocks: readonly Node[]) => void;
  readonly reject: (error: Error) => void;
}

let worker: Worker | undefined;
let nextId = 1;
const waiting = new Map<number, Waiting>();

export const isLong = (content: SentContent): boolean => content.format === "markdown" && content.content.length > LONG;

/** Parses in another thread, one body after the other. */
export function parseAside(task: Omit<ParseTask, "id">): Promise<readonly Node[]> {
  const id = nextId++;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker ??= startWorker();
    worker.ref();
    worker.postMessage({ ...task, id } satisfies ParseTask);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL("./parse-worker.ts", import.meta.url));
  started.on("message", settle);
  started.on("error", (error) => giveUp(started, asError(error)));
  started.on("exit", () => giveUp(started, new Error("The parsing thread has ended.")));
  return started;
}

function settle({ id, json, refusal, failure }: ParseReply): void {
  const task = waiting.get(id);
  waiting.delete(id);
  if (waiting.size === 0) worker?.unref();
  if (json !== undefined) task?.resolve(JSON.parse(json));
  else if (refusal) task?.reject(new DocumentError(refusal.code, refusal.message, refusal.details));
  else task?.reject(new Error(failure));
}

/** What was waiting for a thread that is gone fails; the next body starts a new one. */
function giveUp(gone: Worker, error: Error): void {
  if (worker !== gone) return;
  worker = undefined;
  for (const task of waiting.values()) task.reject(error);
  waiting.clear();
}
