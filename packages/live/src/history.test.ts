import assert from "node:assert/strict";
import { test } from "node:test";
import { blockIds } from "@svc/document/blocks/find";
import { plainText } from "@svc/document/read/text";
import { blockId } from "@svc/document/schema/node";
import { validateBody } from "@svc/document/schema/validate";
import { idFor, p } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import fc from "fast-check";
import * as Y from "yjs";
import { fold, nextFoldClient } from "./fold.ts";
import { LiveState } from "./live-state.ts";
import { plain } from "./testing/plain.ts";
import { makeRandom, type Random } from "./testing/random.ts";
import { type EditOptions, editBlocks, editLive, newTable } from "./testing/random-edit.ts";

/** An editor that receives updates late and sends its own at any time. */
class Editor {
  readonly live: LiveState;
  readonly #unsent: Uint8Array[] = [];
  #seen: number;

  constructor(rows: readonly Uint8Array[], client: number) {
    this.live = LiveState.fromUpdates(rows);
    this.live.doc.clientID = client;
    this.#seen = rows.length;
    this.live.doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin === "edit") this.#unsent.push(update);
    });
  }

  send(rows: Uint8Array[]): void {
    rows.push(...this.#unsent.splice(0));
  }

  receive(rows: readonly Uint8Array[], upTo = rows.length): void {
    if (upTo <= this.#seen) return;
    this.live.apply(rows.slice(this.#seen, upTo));
    this.#seen = upTo;
  }
}

/** A store with rows and a body; a fold may die before or after it writes. */
class Store {
  readonly rows: Uint8Array[];
  body: readonly Node[];
  /** The last row that is in the body, and the body of that moment. */
  folded: { seq: number; body: readonly Node[] };
  #client = 100;

  constructor(blocks: readonly Node[]) {
    this.body = blocks;
    this.rows = [Y.encodeStateAsUpdate(LiveState.fromBlocks(blocks, 1).doc)];
    this.folded = { seq: 1, body: blocks };
  }

  /** `held` is a state in memory from an earlier fold; without one it is loaded. */
  fold(held: LiveState | undefined, newId: () => string, dies: boolean): LiveState | undefined {
    const live = held ?? LiveState.fromUpdates(this.rows.slice(0, this.folded.seq));
    if (!held) live.takeChanged();
    live.doc.clientID = nextFoldClient(this.#client);
    this.#client = live.doc.clientID + 1;
    const { blocks, update } = fold(live, {
      base: this.folded.body,
      body: this.body,
      holderOf: (id: string) => holderOf(this.body, id),
      rows: this.rows.slice(this.folded.seq),
      newId,
      isTopLevel: () => true,
      makesLines: true,
    });
    if (dies) return undefined;
    if (update) this.rows.push(update);
    this.body = blocks;
    this.folded = { seq: this.rows.length, body: blocks };
    assert.deepEqual(live.blocks.map(plain), blocks.map(plain), "the live state is the body after a fold");
    return live;
  }
}

const holderOf = (blocks: readonly Node[], id: string) =>
  blocks.filter((block) => blockIds([block]).has(id)).flatMap((block) => blockId(block) ?? [])[0];

interface History {
  readonly seed: number;
  readonly deletes: boolean;
}

function run({ seed, deletes }: History): void {
  const random = makeRandom(seed);
  let [ids, words] = [100, 0];
  const written: string[] = [];
  const newId = () => idFor(ids++);
  const word = () => {
    const text = `w${words++}w`;
    written.push(text);
    return text;
  };
  const options: EditOptions = { random, newId, word, deletes };
  const lines = Array.from({ length: 3 }, (_, i): Node => ({ ...p(`${word()} `), attrs: { id: idFor(i + 1) } }));
  const store = new Store([...lines, newTable(options)]);
  const editors = [3, 5, 7].map((client) => new Editor(store.rows, client));
  let held: LiveState | undefined;
  for (let step = 0; step < 80; step++) held = takeStep(random, store, editors, held, options);
  for (const editor of editors) editor.send(store.rows);
  store.fold(held, newId, false);
  for (const editor of editors) editor.receive(store.rows);
  for (const editor of editors) assert.deepEqual(editor.live.blocks.map(plain), store.body.map(plain));
  validateBody({ type: "doc", content: store.body }, { maxCharacters: 1e9 });
  checkWords(store.body, written, deletes);
  checkTables(store.body);
}

function takeStep(
  random: Random,
  store: Store,
  editors: readonly Editor[],
  held: LiveState | undefined,
  options: EditOptions,
): LiveState | undefined {
  const editor = random.pick(editors);
  switch (random.below(8)) {
    case 0:
      return store.fold(random.chance(0.7) ? held : undefined, options.newId, random.chance(0.15));
    case 1:
      store.body = editBlocks(store.body, options);
      return held;
    case 2:
      editor.receive(store.rows, random.chance(0.5) ? store.rows.length : undefined);
      return held;
    case 3:
      editor.send(store.rows);
      return held;
    default:
      editLive(editor.live, options, "edit");
      return held;
  }
}

function checkWords(body: readonly Node[], written: readonly string[], deletes: boolean): void {
  const text = body.map((block) => plainText(block)).join("\n");
  for (const word of written) {
    const times = text.split(word).length - 1;
    assert.ok(times <= 1, `${word} is there ${times} times`);
    if (!deletes) assert.equal(times, 1, `${word} is lost`);
  }
}

function checkTables(body: readonly Node[]): void {
  for (const { type, content: rows = [] } of body) {
    const widths = new Set(rows.map((row) => row.content?.length));
    if (type === "table") assert.equal(widths.size, 1, `rows of ${[...widths]} cells`);
  }
}

test("LIVE4 random histories of editors, API writers and dying folds end with one body, nothing lost or doubled", () => {
  const history = fc.record({ seed: fc.integer({ min: 1 }), deletes: fc.boolean() });
  fc.assert(fc.property(history, run), { numRuns: Number(process.env.SVC_TEST_HISTORIES ?? 60) });
});
