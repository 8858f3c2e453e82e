import { randomUUID } from "node:crypto";
import { codeOf } from "@svc/document/thrown";
import type pg from "pg";
import { type Heard, Listeners, type Signals } from "../signals.ts";
import { connectionOptions } from "./servers.ts";

const CHANNEL = "svc";
const RECONNECT_MS = 1000;
const MAX_PENDING = 10_000;

/**
 * Uses LISTEN and NOTIFY on a separate connection. Announcements are sent after the commit instead of inside the
 * transaction, because PostgreSQL lets only one notifying transaction commit at a time per database.
 */
export class PostgresSignals implements Signals {
  readonly #options: ReturnType<typeof connectionOptions>;
  readonly #log: { warn(details: object, message: string): void };
  readonly #listeners = new Listeners();
  /** Distinguishes this process's notifications from those of others. */
  readonly #self = randomUUID();
  readonly #pending = new Set<string>();
  #client: pg.Client | undefined;
  #connecting: Promise<void> | undefined;
  #sending = false;
  #listening = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(url: string, log: { warn(details: object, message: string): void }) {
    this.#options = connectionOptions(url);
    this.#log = log;
  }

  announce(topic: string): void {
    this.#listeners.notify(topic);
    if (this.#closed || this.#pending.size >= MAX_PENDING) return;
    this.#pending.add(topic);
    if (!this.#sending) void this.#send();
  }

  listen(heard: Heard): () => void {
    this.#listeners.add(heard);
    void this.#hear();
    return () => this.#listeners.delete(heard);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#connecting?.catch(() => undefined);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  /** Announcements made while one statement runs are sent with the next. */
  async #send(): Promise<void> {
    this.#sending = true;
    while (this.#pending.size > 0 && !this.#closed) {
      const topics = [...this.#pending].map((topic) => `${this.#self} ${topic}`);
      this.#pending.clear();
      try {
        await this.#connect();
        await this.#client?.query("select pg_notify($1, topic) from unnest($2::text[]) as topic", [CHANNEL, topics]);
      } catch (error) {
        this.#lost(error);
      }
    }
    this.#sending = false;
  }

  async #hear(): Promise<void> {
    if (this.#listening || this.#closed || this.#listeners.size === 0) return;
    try {
      await this.#connect();
      if (this.#listening) return;
      this.#listening = true;
      await this.#client?.query(`listen ${CHANNEL}`);
      // Announcements may have been made while no connection listened.
      this.#listeners.notify(undefined);
    } catch (error) {
      this.#lost(error);
    }
  }

  #connect(): Promise<void> {
    if (this.#client) return Promise.resolve();
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<void> {
    const { connectionString, Client } = this.#options;
    const client = new Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 5000 });
    client.on("error", (error) => {
      if (this.#client === client) this.#lost(error);
    });
    client.on("end", () => {
      if (this.#client === client) this.#lost(new Error("The connection ended."));
    });
    client.on("notification", ({ payload = "" }) => this.#received(payload));
    await client.connect();
    if (this.#closed) return void (await client.end());
    this.#client = client;
  }

  #received(payload: string): void {
    const space = payload.indexOf(" ");
    if (payload.slice(0, space) !== this.#self) this.#listeners.notify(payload.slice(space + 1));
  }

  #lost(error: unknown): void {
    if (this.#closed) return;
    const client = this.#client;
    this.#client = undefined;
    this.#listening = false;
    client?.end().catch(() => undefined);
    this.#log.warn({ code: codeOf(error) }, "the PostgreSQL connection for notifications was lost");
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#hear(), RECONNECT_MS).unref();
  }
}
