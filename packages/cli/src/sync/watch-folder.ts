import { watch } from "node:fs";
import { asError } from "@svc/document/thrown";
import { ApiError, type Client, ConnectionError, streamEvents } from "@svc/sdk";
import { ChangedMeanwhile, PRIVATE } from "./disk.ts";
import { FolderInUse } from "./lock.ts";
import { type SyncOptions, type SyncResult, syncFolder } from "./sync-folder.ts";

interface WatchOptions extends SyncOptions {
  readonly signal: AbortSignal;
  /** After each run. */
  readonly onRun: (result: SyncResult) => void;
  /** When a run could not be made; the next one comes by itself. */
  readonly onTrouble: (error: Error) => void;
  /** Time between a change and the run that follows it, so that a burst is one run. */
  readonly settleMs?: number | undefined;
  /** The longest time between two runs: folders have no events, and a notice of the file system may be missing. */
  readonly everyMs?: number | undefined;
}

const SETTLE_MS = 500;
const EVERY_MS = 60_000;

/** Keeps a folder and its knowledge base equal until the signal ends it. */
export async function watchFolder(options: WatchOptions): Promise<void> {
  // Close the listeners when watching ends, even after a failed run: an open stream keeps the process alive.
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  const bell = new Bell(options.settleMs ?? SETTLE_MS, options.everyMs ?? EVERY_MS, signal);
  const run = async () => options.onRun(await syncFolder(options));
  try {
    await run();
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  const watcher = watch(options.directory, { recursive: true, persistent: false }, (_, name) => {
    if (!name?.startsWith(PRIVATE)) bell.ring();
  });
  watcher.on("error", () => {});
  const listening = listen(options.client, signal, bell);
  // It may fail in the middle of a run, and is asked about after it.
  listening.catch(() => {});
  try {
    while (await Promise.race([bell.next(), listening])) {
      try {
        await run();
      } catch (error) {
        if (!mayPass(error)) throw error;
        options.onTrouble(asError(error));
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    watcher.close();
    over.abort();
  }
}

/** The service is away or busy, another run is in the folder, or it changes under our eyes: there will be a next time. */
const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof FolderInUse ||
  error instanceof ChangedMeanwhile ||
  (error instanceof ApiError && error.status >= 429);

/** Rings for every event of the knowledge base; ends only by failing. */
async function listen(client: Client, signal: AbortSignal, bell: Bell): Promise<never> {
  for await (const _ of streamEvents(client, { signal, onState: () => bell.ring() })) bell.ring();
  throw new Error("The event stream has ended.");
}

/** Gathers rings: `next` answers a moment after the first, and now and then without any. */
class Bell {
  readonly #settleMs: number;
  readonly #everyMs: number;
  readonly #signal: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(settleMs: number, everyMs: number, signal: AbortSignal) {
    this.#settleMs = settleMs;
    this.#everyMs = everyMs;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#wake?.(), { once: true });
  }

  /** Further rings do not put the run off: under steady changes it would never come. */
  ring(): void {
    if (this.#rung) return;
    this.#rung = true;
    this.#set(this.#settleMs);
  }

  /** True for the next run, false once it is over. */
  next(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#wake = () => {
        clearTimeout(this.#timer);
        this.#wake = undefined;
        this.#rung = false;
        resolve(!this.#signal.aborted);
      };
      if (this.#signal.aborted) this.#wake();
      else this.#set(this.#rung ? this.#settleMs : this.#everyMs);
    });
  }

  #set(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#wake?.(), ms);
  }
}
