import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { LiveState } from "@svc/live/live-state";
import type { LiveSession } from "@svc/live/session";
import { openEditor } from "../../packages/server/test/support/live-editor.ts";
import { textOf } from "../live/site.ts";
import type { SoakSite } from "./site.ts";
import type { Latencies } from "./watch.ts";

/** A block is begun anew when it is this long, as people go on to the next sentence. */
const LONGEST = 300;

interface Typist {
  readonly session: LiveSession;
  readonly at: number;
  readonly pending: { readonly text: string; readonly began: number }[];
}

/** People who type in a document, some in each process; what one types is looked for at the next one. */
export class Editors {
  readonly #documentId: string;
  readonly #typists: Typist[] = [];
  readonly #latencies: Latencies;
  #keys = 0;

  private constructor(documentId: string, latencies: Latencies) {
    this.#documentId = documentId;
    this.#latencies = latencies;
  }

  static async open(site: SoakSite, documentId: string, count: number, latencies: Latencies): Promise<Editors> {
    const editors = new Editors(documentId, latencies);
    for (let at = 0; at < count; at++) {
      const seat = { url: site.address(at % 2 === 0 ? 0 : 1), cookie: site.cookie, documentId };
      // The state may be made again: then it is another one that has to be listened to.
      const onState = (live: LiveState) => editors.#listen(live, (at + count - 1) % count);
      const session = await openEditor(seat, { onState });
      editors.#typists.push({ session, at, pending: [] });
      editors.#listen(session.live, (at + count - 1) % count);
    }
    return editors;
  }

  /** The next person presses a key, in a block of their own. */
  type(): void {
    const typist = defined(this.#typists[this.#keys++ % this.#typists.length]);
    const { live } = typist.session;
    const block = defined(live.node(defined(live.order[typist.at])));
    const before = textOf(block);
    const text = before.length < LONGEST ? `${before}x` : `Anew ${this.#keys} `;
    live.patch({ ...block, content: [{ type: "text", text }] });
    typist.pending.push({ text, began: performance.now() });
  }

  /** Waits until everything is in the body; what differs between editors, or from what the API reads. */
  async problems(read: (documentId: string) => Promise<readonly string[]>): Promise<string[]> {
    const end = performance.now() + 60_000;
    while (!this.#typists.every(({ session }) => session.isSaved) && performance.now() < end) await sleep(50);
    const unsaved = this.#typists.filter(({ session }) => !session.isSaved).length;
    if (unsaved > 0) return [`${unsaved} editors of ${this.#documentId} are not saved`];
    const texts = await read(this.#documentId);
    return this.#typists.flatMap(({ session, at }) => {
      const shown = session.live.blocks.map(textOf);
      if (shown[at] !== texts[at])
        return [`block ${at} of ${this.#documentId}: ${shown[at]} is stored as ${texts[at]}`];
      return [];
    });
  }

  close(): void {
    for (const { session } of this.#typists) session.close();
  }

  /** Notes how long keys of one take until another has them. */
  #listen(live: LiveState, at: number): void {
    live.doc.on("update", () => {
      const pending = this.#typists[at]?.pending ?? [];
      const id = live.order[at];
      const block = id === undefined ? undefined : live.node(id);
      const seen = block ? pending.findIndex(({ text }) => text === textOf(block)) : -1;
      const now = performance.now();
      for (const { began } of pending.splice(0, seen + 1)) this.#latencies.note("key at another editor", now - began);
    });
  }
}
