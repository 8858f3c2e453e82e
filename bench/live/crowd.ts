import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { LiveSession } from "@svc/live/session";
import type WebSocket from "ws";
import type { Call } from "../harness/api.ts";
import { Connection } from "../harness/connection.ts";
import { type LiveSite, openRelay, textOf, typeKey, until } from "./site.ts";

/** Each of them asks so many times a second, one half at each process. */
const READERS = 4;
const SEARCHERS = 2;
const AGENTS = 2;
const PER_SECOND = 4;

/**
 * Other users of the documents: programs that read and search over HTTP, and agents that write a block of
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

export const KEYS_PER_SECOND = 2;
/** An update of one key is so long. */
const KEY_BYTES = 27;

/** Many people in many documents: what they type arrives at one of the others of their document, who counts the delays. */
export interface Crowd {
  readonly size: number;
  /** Milliseconds that keys took; filled while people type. */
  readonly delays: number[];
  type(index: number): void;
  /** All that was typed has arrived. */
  isDone(): boolean;
  close(): void;
}

interface CrowdOptions {
  readonly documents: readonly string[];
  /** Editors of each document, the first at the first process, the next at the second, and so on. */
  readonly each: number;
}

/** A person whose keys somebody else waits for. */
interface Watched {
  readonly blockId: string;
  readonly before: number;
  readonly typed: number[];
  seen: number;
}

/** Editors of the service. A document needs at least as many blocks as editors. */
export async function openEditors(site: LiveSite, { documents, each }: CrowdOptions): Promise<Crowd> {
  const editors: LiveSession[] = [];
  const watched: (Watched | undefined)[] = [];
  const delays: number[] = [];
  for (const documentId of documents) {
    const here: LiveSession[] = [];
    for (let i = 0; i < each; i++) here.push(await site.open(documentId, i % 2 === 0 ? 0 : 1));
    editors.push(...here);
    // The last one sees the keys of all before it.
    const reader = defined(here.at(-1));
    const others = here.slice(0, -1).map((_, at) => watch(reader, at));
    watched.push(...others, undefined);
    reader.live.doc.on("update", () => note(reader, others, delays));
  }
  return {
    size: editors.length,
    delays,
    type: (index) => {
      watched[index]?.typed.push(performance.now());
      typeKey(defined(editors[index]), index % each);
    },
    isDone: () => editors.every((editor) => editor.isSaved) && watched.every((one) => !one || isSeen(one)),
    close: () => {
      for (const editor of editors) editor.close();
    },
  };
}

function watch({ live }: LiveSession, at: number): Watched {
  const blockId = defined(live.order[at]);
  return { blockId, before: textOf(defined(live.node(blockId))).length, typed: [], seen: 0 };
}

const isSeen = ({ typed, seen }: Watched): boolean => seen === typed.length;

function note({ live }: LiveSession, others: readonly Watched[], delays: number[]): void {
  const now = performance.now();
  for (const one of others) {
    if (isSeen(one)) continue;
    const arrived = textOf(defined(live.node(one.blockId))).length - one.before;
    for (; one.seen < arrived; one.seen++) delays.push(now - defined(one.typed[one.seen]));
  }
}

/** The same at the relay, in rooms of the same names. */
export async function openRelayed(site: LiveSite, { documents, each }: CrowdOptions): Promise<Crowd> {
  const sockets: WebSocket[] = [];
  const delays: number[] = [];
  let missing = 0;
  for (const room of documents) {
    for (let i = 0; i < each; i++) sockets.push(await openRelay(site, room));
    defined(sockets.at(-1)).on("message", (data: Buffer) => {
      if (data.length !== KEY_BYTES) return;
      missing--;
      delays.push(performance.now() - data.readDoubleLE());
    });
  }
  return {
    size: sockets.length,
    delays,
    type: (index) => {
      if (index % each < each - 1) missing++;
      const bytes = Buffer.alloc(KEY_BYTES);
      bytes.writeDoubleLE(performance.now());
      defined(sockets[index]).send(bytes);
    },
    isDone: () => missing === 0,
    close: () => {
      for (const socket of sockets) socket.close();
    },
  };
}

/** Lets each of a crowd type for so long, one after the other, until all of it has arrived. Returns the number of keys. */
export async function letType(crowd: Crowd, seconds: number): Promise<number> {
  const began = performance.now();
  const keys = Math.max(crowd.size, Math.round(seconds * crowd.size * KEYS_PER_SECOND));
  for (let n = 0; n < keys; ) {
    const due = Math.min(keys, ((performance.now() - began) / 1000) * crowd.size * KEYS_PER_SECOND);
    for (; n < due; n++) crowd.type(n % crowd.size);
    await sleep(2);
  }
  await until(() => crowd.isDone());
  return keys;
}
