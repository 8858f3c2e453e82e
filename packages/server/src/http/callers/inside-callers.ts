import { newSecret } from "../../ids.ts";
import type { Caller } from "./caller.ts";

/** Names a caller of `InsideCallers` in a request that never leaves the process. */
export const INSIDE_HEADER = "x-svc-inside";

/**
 * Callers whose requests this process makes itself, on behalf of a person with a session. Each request gets a random
 * name that is valid until the request has been admitted, so that no outside request can name a caller.
 */
export class InsideCallers {
  readonly #callers = new Map<string, Caller>();

  async run<T>(caller: Caller, send: (name: string) => Promise<T>): Promise<T> {
    const name = newSecret();
    this.#callers.set(name, caller);
    try {
      return await send(name);
    } finally {
      this.#callers.delete(name);
    }
  }

  find(name: string | string[] | undefined): Caller | undefined {
    return typeof name === "string" ? this.#callers.get(name) : undefined;
  }
}
