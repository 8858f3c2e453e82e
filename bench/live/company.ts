import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { Connection } from "../harness/connection.ts";
import type { Call } from "../harness/request.ts";
import type { LiveSite } from "./site.ts";

/** Each of them asks so many times a second, one half at each process. */
const READERS = 4;
const SEARCHERS = 2;
const AGENTS = 2;
const PER_SECOND = 4;

/**
 * Who else works with the documents meanwhile: programs that read and search over HTTP, and agents that write a block of
 * their own in the same documents. `blocks` are those that agents may write, by document.
 */
export class Company {
  #isOver = false;
  /** Requests that were answered. */
  asked = 0;
  readonly #work: Promise<void>[];

  constructor(site: LiveSite, blocks: readonly { readonly documentId: string; readonly blockId: string }[]) {
    let turn = 0;
    const next = () => defined(blocks[turn++ % blocks.length]);
    const read = (): Call => ({ method: "GET", path: `/api/v1/documents/${next().documentId}/content` });
    const search = (): Call => ({ method: "GET", path: `/api/v1/search/v2?q=paragraph%20${turn++ % 100}` });
    const write = (): Call => {
      const { documentId, blockId } = next();
      const node = { type: "paragraph", attrs: { id: blockId }, content: [{ type: "text", text: `Written ${turn}` }] };
      return { method: "PATCH", path: `/api/v1/documents/${documentId}/blocks/${blockId}`, body: { node } };
    };
    const calls = [
      ...Array.from({ length: READERS }, () => read),
      ...Array.from({ length: SEARCHERS }, () => search),
      ...Array.from({ length: AGENTS }, () => write),
    ];
    this.#work = calls.map((call, i) => this.#ask(site, i % 2 === 0 ? 0 : 1, call));
  }

  async #ask(site: LiveSite, process: 0 | 1, call: () => Call): Promise<void> {
    const connection = await Connection.open(site.svc[process].address);
    while (!this.#isOver) {
      const { status, body } = await connection.ask(site.api.bytes(call()));
      if (status >= 400) throw new Error(`${status} ${body.toString().slice(0, 300)}`);
      this.asked++;
      await sleep(1000 / PER_SECOND);
    }
    connection.close();
  }

  async leave(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#work);
  }
}
