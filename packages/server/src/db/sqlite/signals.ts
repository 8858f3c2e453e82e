import type { StatementSync } from "node:sqlite";
import { type Heard, Listeners, type Signals } from "../signals.ts";
import { SqliteConnection } from "./connection.ts";

const POLL_MS = 100;

/** SQLite tells a connection whether any other connection, of any process, has committed since it last asked. */
export class SqliteSignals implements Signals {
  readonly #file: string;
  readonly #listeners = new Listeners();
  #poll: { timer: NodeJS.Timeout; connection: SqliteConnection } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  announce(topic: string): void {
    this.#listeners.tell(topic);
  }

  listen(heard: Heard): () => void {
    this.#listeners.add(heard);
    this.#poll ??= this.#startPolling();
    return () => {
      this.#listeners.delete(heard);
      if (this.#listeners.size === 0) this.#stopPolling();
    };
  }

  #startPolling() {
    const connection = new SqliteConnection(this.#file, { readOnly: true });
    const statement = connection.raw.prepare("pragma data_version");
    let seen = versionOf(statement);
    const timer = setInterval(() => {
      const version = versionOf(statement);
      if (version === seen && version !== undefined) return;
      seen = version;
      this.#listeners.tell(undefined);
    }, POLL_MS).unref();
    return { timer, connection };
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

/** Undefined when the file cannot be asked right now. */
function versionOf(statement: StatementSync): unknown {
  try {
    return statement.get()?.data_version;
  } catch {
    return undefined;
  }
}
