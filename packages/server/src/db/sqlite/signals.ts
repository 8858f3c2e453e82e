import type { StatementSync } from "node:sqlite";
import { type Heard, Listeners, type Signals } from "../signals.ts";
import { SqliteConnection } from "./connection.ts";

const POLL_MS = 100;
/** Reading the version takes two or three microseconds. */
const PROMPT_POLL_MS = 10;

/** Detects commits of other connections, in any process, by SQLite's data version. */
export class SqliteSignals implements Signals {
  readonly #file: string;
  readonly #listeners = new Listeners();
  #poll: { look: () => void; ms: number; timer: NodeJS.Timeout; connection: SqliteConnection } | undefined;
  /** The number of listeners that want prompt announcements. */
  #prompt = 0;

  constructor(file: string) {
    this.#file = file;
  }

  announce(topic: string): void {
    this.#listeners.notify(topic);
  }

  listen(heard: Heard, { isPrompt = false } = {}): () => void {
    this.#listeners.add(heard);
    if (isPrompt) this.#prompt++;
    this.#poll ??= this.#startPolling();
    this.#setPace();
    return () => {
      this.#listeners.delete(heard);
      if (isPrompt) this.#prompt--;
      if (this.#listeners.size === 0) this.#stopPolling();
      else this.#setPace();
    };
  }

  #startPolling() {
    const connection = new SqliteConnection(this.#file, { readOnly: true });
    const statement = connection.raw.prepare("pragma data_version");
    let seen = versionOf(statement);
    const look = () => {
      const version = versionOf(statement);
      if (version === seen && version !== undefined) return;
      seen = version;
      this.#listeners.notify(undefined);
    };
    return { look, ms: POLL_MS, timer: setInterval(look, POLL_MS).unref(), connection };
  }

  #setPace(): void {
    const ms = this.#prompt > 0 ? PROMPT_POLL_MS : POLL_MS;
    if (!this.#poll || this.#poll.ms === ms) return;
    clearInterval(this.#poll.timer);
    this.#poll = { ...this.#poll, ms, timer: setInterval(this.#poll.look, ms).unref() };
  }

  #stopPolling(): void {
    if (!this.#poll) return;
    clearInterval(this.#poll.timer);
    this.#poll.connection.close();
    this.#poll = undefined;
  }

  async close(): Promise<void> {
    this.#stopPolling();
  }
}

/** Reads the data version; undefined while the file cannot be read. */
function versionOf(statement: StatementSync): unknown {
  try {
    return statement.get()?.data_version;
  } catch {
    return undefined;
  }
}
