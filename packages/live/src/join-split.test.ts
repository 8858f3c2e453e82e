import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText } from "@svc/document/read/text";
import { blockId } from "@svc/document/schema/node";
import { idFor, p } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import * as Y from "yjs";
import { fold, nextFoldClient } from "./fold.ts";
import { LiveState } from "./live-state.ts";
import { rememberLoaded } from "./others-deletions.ts";
import { applyWithRescue } from "./rescue-text.ts";
import { makeRandom, type Random } from "./testing/random.ts";

const textOf = (node: Node): string => (node.content ?? []).map(({ text = "" }) => text).join("");
const withText = (node: Node, text: string): Node => ({
  type: node.type,
  ...(node.attrs && { attrs: node.attrs }),
  ...(text !== "" && { content: [{ type: "text", text }] }),
});

/** A tab that sends and receives when it likes. */
class Tab {
  readonly live: LiveState;
  readonly #unsent: Uint8Array[] = [];
  readonly #own = new Set<Uint8Array>();
  readonly #newId: () => string;
  #seen: number;

  constructor(rows: readonly Uint8Array[], client: number, newId: () => string) {
    this.live = LiveState.open(new Y.Doc({ gc: false }), rows);
    this.live.doc.clientID = client;
    rememberLoaded(this.live.doc);
    this.#newId = newId;
    this.#seen = rows.length;
    this.live.doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin === "edit") this.#unsent.push(update);
    });
  }

  write(blocks: readonly Node[]): void {
    this.live.setBlocks(blocks, { origin: "edit" });
  }

  send(rows: Uint8Array[]): void {
    for (const update of this.#unsent.splice(0)) {
      this.#own.add(update);
      rows.push(update);
    }
  }

  receive(rows: readonly Uint8Array[]): void {
    for (const row of rows.slice(this.#seen)) {
      if (this.#own.has(row)) continue;
      const kept = applyWithRescue(this.live, row, { origin: "remote", newId: this.#newId, makesLines: true });
      if (kept) this.#unsent.push(kept);
    }
    this.#seen = rows.length;
  }

  get isQuiet(): boolean {
    return this.#unsent.length === 0;
  }
}

/** The server: rows, the body, and the moment when they were last equal. */
class Store {
  readonly rows: Uint8Array[];
  body: readonly Node[];
  #folded: { readonly seq: number; readonly body: readonly Node[] };
  #held: LiveState | undefined;
  #nextClient = 10;

  constructor(blocks: readonly Node[]) {
    this.body = blocks;
    this.rows = [Y.encodeStateAsUpdate(LiveState.fromBlocks(blocks, 1).doc)];
    this.#folded = { seq: 1, body: blocks };
  }

  /** Another process folds next, or this one after a restart. */
  forget(): void {
    this.#held = undefined;
  }

  fold(newId: () => string): void {
    const live = this.#held ?? this.#load();
    const { body } = this;
    const holderOf = (id: string) => body.flatMap((block) => (blockId(block) === id ? id : []))[0];
    const { blocks, update } = fold(live, {
      base: this.#folded.body,
      body,
      holderOf,
      rows: this.rows.slice(this.#folded.seq),
      newId,
      isTopLevel: () => true,
      makesLines: true,
    });
    if (update) this.rows.push(update);
    this.body = blocks;
    this.#folded = { seq: this.rows.length, body: blocks };
    this.#held = live;
    assert.deepEqual(LiveState.fromUpdates(this.rows).blocks, live.blocks, "the rows make the live state");
    assert.deepEqual(live.blocks, blocks, "the live state is the body");
  }

  #load(): LiveState {
    const live = LiveState.fromUpdates(this.rows.slice(0, this.#folded.seq));
    live.takeChanged();
    rememberLoaded(live.doc);
    live.doc.clientID = nextFoldClient(this.#nextClient);
    this.#nextClient = live.doc.clientID + 1;
    return live;
  }
}

interface Writing {
  readonly random: Random;
  readonly word: () => string;
  readonly newId: () => string;
}

const wordsOf = (block: Node): string[] =>
  textOf(block)
    .split(" ")
    .filter((one) => one !== "");

/** Puts a word between two words of a line, or at one of its ends. */
function typeWord(blocks: readonly Node[], { random }: Writing, word: string): readonly Node[] {
  const at = random.below(blocks.length);
  return blocks.map((block, i) => {
    if (i !== at) return block;
    const words = wordsOf(block);
    const place = random.below(words.length + 1);
    return withText(block, [...words.slice(0, place), word, ...words.slice(place)].map((one) => `${one} `).join(""));
  });
}

/** Joins a line to the one before it, or splits it between two words. */
function joinOrSplit(blocks: readonly Node[], { random, newId }: Writing): readonly Node[] {
  const at = random.below(blocks.length);
  const [before, line] = [blocks[at - 1], blocks[at]];
  if (!line) return blocks;
  if (before && random.chance(0.5))
    return blocks.flatMap((block) =>
      block === before ? [withText(before, textOf(before) + textOf(line))] : block === line ? [] : [block],
    );
  const words = textOf(line).split(/(?<= )/);
  if (words.length < 2) return blocks;
  const place = 1 + random.below(words.length - 1);
  const rest = withText({ type: "paragraph", attrs: { id: newId() } }, words.slice(place).join(""));
  return blocks.flatMap((block) => (block === line ? [withText(line, words.slice(0, place).join("")), rest] : [block]));
}

/** Types words in two halves, with anything in between. */
class Typist {
  #begun: string | undefined;

  next(blocks: readonly Node[], writing: Writing): readonly Node[] {
    if (this.#begun !== undefined) return this.end(blocks);
    const word = writing.word();
    if (writing.random.chance(0.5)) return typeWord(blocks, writing, word);
    this.#begun = word;
    return typeWord(blocks, writing, word.slice(0, 2));
  }

  end(blocks: readonly Node[]): readonly Node[] {
    const word = this.#begun;
    this.#begun = undefined;
    if (word === undefined) return blocks;
    const letter = word.charAt(0);
    assert.ok(
      blocks.some((block) => textOf(block).includes(letter)),
      `${letter} is lost in the typist's own tab`,
    );
    return blocks.map((block) => {
      const at = textOf(block).indexOf(letter) + 2;
      return at < 2 ? block : withText(block, textOf(block).slice(0, at) + word.slice(2) + textOf(block).slice(at));
    });
  }
}

/** Runs a history; returns the letters that are there more than once. */
function run(seed: number, restarts: boolean): string[] {
  const random = makeRandom(seed);
  let ids = 100;
  const written: string[] = [];
  /** Each word has two letters that no other word has. */
  const word = (): string => {
    const [one, two] = [0, 1].map((i) => String.fromCodePoint(0x4e00 + written.length + i)) as [string, string];
    written.push(one, two);
    return `${one}o${two}e`;
  };
  const newId = () => idFor(ids++);
  const writing = { random, word, newId };
  const lines = Array.from(
    { length: 3 },
    (_, i): Node => ({
      ...p(`${Array.from({ length: 4 }, word).join(" ")} `),
      attrs: { id: idFor(i + 1) },
    }),
  );
  const store = new Store(lines);
  const [typist, joiner] = [3, 5].map((client) => new Tab(store.rows, client, newId)) as [Tab, Tab];
  const typing = new Typist();
  for (let step = 0; step < 50; step++) {
    const tab = random.pick([typist, joiner]);
    switch (random.below(8)) {
      case 0:
        tab.receive(store.rows);
        break;
      case 1:
        tab.send(store.rows);
        break;
      case 2:
        joiner.write(joinOrSplit(joiner.live.blocks, writing));
        break;
      case 3:
        store.body = typeWord(store.body, writing, word());
        break;
      case 4:
        if (restarts && random.chance(0.3)) store.forget();
        store.fold(newId);
        break;
      default:
        typist.write(typing.next(typist.live.blocks, writing));
    }
  }
  typist.write(typing.end(typist.live.blocks));
  const tabs = [typist, joiner];
  for (let round = 0; round < 10; round++) {
    for (const tab of tabs) tab.send(store.rows);
    store.fold(newId);
    for (const tab of tabs) tab.receive(store.rows);
  }
  for (const { live } of tabs) assert.deepEqual(live.blocks, store.body);
  const text = store.body.map(plainText).join();
  for (const letter of written) assert.ok(text.includes(letter), `history ${seed}: ${letter} is lost`);
  return written.filter((letter) => text.split(letter).length > 2);
}

const HISTORIES = Number(process.env.SVC_TEST_HISTORIES ?? 60);

/**
 * One class of histories ends with a word twice. The joiner moves a line while a fold, or the typist's tab, moves words
 * that the joiner had not seen in it. The joiner's tab shows both copies for a moment. When the joiner moves these on
 * before the other copy is withdrawn, nobody can know that they are the same word.
 */
for (const restarts of [false, true])
  test(`LIVE17 whoever types, joins and splits, and whatever programs write meanwhile, no letter is lost and hardly any is there twice, ${restarts ? "also when processes take turns" : "in one process"}`, () => {
    const seeds = Array.from({ length: HISTORIES }, (_, i) => i + 1);
    const doubled = seeds.filter((seed) => run(seed, restarts).length > 0);
    assert.ok(doubled.length <= HISTORIES / 20, `words are there twice after the histories ${doubled}`);
  });
