import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText } from "@svc/document/read/text";
import { b, text } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import * as Y from "yjs";
import { LiveState } from "./live-state.ts";
import { applyWithRescue } from "./rescue-text.ts";
import { makeRandom } from "./testing/random.ts";
import { editBlocks, newTable } from "./testing/random-edit.ts";

const line = (id: string, ...content: readonly Node[]): Node => ({ type: "paragraph", attrs: { id }, content });
const holder = (type: string, id: string, ...content: readonly Node[]): Node => ({
  type,
  attrs: { id },
  content,
});
const list = (...lines: readonly Node[]): Node =>
  holder("bulletList", "list", ...lines.map((one) => holder("listItem", `item of ${one.attrs?.id}`, one)));

/** A tab with its own changes since. */
function tab(state: Uint8Array, client: number) {
  const live = LiveState.open(new Y.Doc({ gc: false }), [state]);
  live.doc.clientID = client;
  const start = Y.encodeStateVector(live.doc);
  return {
    live,
    write: (blocks: readonly Node[]) => live.setBlocks(blocks),
    made: () => Y.encodeStateAsUpdate(live.doc, start),
  };
}

interface Scene {
  readonly before: readonly Node[];
  readonly mine: readonly Node[];
  readonly theirs: readonly Node[];
  readonly isWhole?: boolean;
}

let ids = 0;

/** The result after each side receives the change that the other one made without having seen its own. */
function both({ before, mine, theirs, isWhole = false }: Scene, makesLines = true): readonly Node[] {
  const state = Y.encodeStateAsUpdate(LiveState.fromBlocks(before, 1).doc);
  const [ada, bob] = [tab(state, 2), tab(state, 3)];
  ada.write(mine);
  bob.write(theirs);
  const sent = ada.made();
  const change = isWhole ? Y.encodeStateAsUpdate(bob.live.doc) : bob.made();
  const kept = applyWithRescue(ada.live, change, {
    origin: "remote",
    newId: () => `new${ids++}`,
    stored: isWhole ? 0 : undefined,
    makesLines,
  });
  assert.equal(ada.live.doc.clientID, 2);
  if (kept) assert.deepEqual([...new Set(Y.decodeUpdate(kept).structs.map(({ id }) => id.client))], [2], "own alone");
  bob.live.apply(kept ? [sent, kept] : [sent]);
  assert.deepEqual(ada.live.blocks, bob.live.blocks, "both have the same");
  return ada.live.blocks;
}

const texts = (scene: Scene, makesLines?: boolean) => both(scene, makesLines).map(plainText);

const start = [line("a", text("Start")), line("m", text("Middle words")), line("z", text("End"))];
const [a, m, z] = start as [Node, Node, Node];
const typed = [a, line("m", text("Middle words of mine")), z];

test("LIVE17 words on their way go along when others join their line to the one before, also a part of it", () => {
  assert.deepEqual(texts({ before: start, mine: typed, theirs: [line("a", text("StartMiddle words")), z] }), [
    "StartMiddle words of mine",
    "End",
  ]);
  assert.deepEqual(texts({ before: start, mine: typed, theirs: [line("a", text("Stddle words")), z] }), [
    "Stddle words of mine",
    "End",
  ]);
});

test("LIVE17 words on their way, and what one deleted, go along when others wrap, unwrap or move their line", () => {
  const mine = [a, line("m", text("The words of mine")), z];
  assert.deepEqual(texts({ before: start, mine, theirs: [a, list(line("m", text("Middle words"))), z] }), [
    "Start",
    "The words of mine",
    "End",
  ]);
  const items = [list(a, m, z)];
  const own = [list(a, line("m", text("The words of mine")), z)];
  assert.deepEqual(texts({ before: items, mine: own, theirs: [list(a), line("m", text("Our Middle words")), z] }), [
    "Start",
    "Our The words of mine",
    "End",
  ]);
  assert.deepEqual(texts({ before: items, mine: own, theirs: [list(m, z, a)] }), ["The words of mine\nEnd\nStart"]);
});

test("LIVE17 words on their way go along with the part of the line that others split off, and keep their looks", () => {
  const theirs = [a, line("m", text("Middle")), line("n", text(" words")), z];
  assert.deepEqual(texts({ before: start, mine: typed, theirs }), ["Start", "Middle", " words of mine", "End"]);
  const bold = [a, line("m", text("Middle words"), b(" mine")), z];
  assert.deepEqual(both({ before: start, mine: bold, theirs })[2]?.content, [text(" words"), b(" mine")]);
  const early = [a, line("m", text("My Middle words")), z];
  assert.deepEqual(texts({ before: start, mine: early, theirs }), ["Start", "My Middle", " words", "End"]);
});

test("LIVE17 words on their way into a line that others delete become a line of their own at its place", () => {
  assert.deepEqual(texts({ before: start, mine: typed, theirs: [a, z] }), ["Start", " of mine", "End"]);
  const unlike = [a, z, line("x", text("Something else entirely"))];
  assert.deepEqual(texts({ before: start, mine: typed, theirs: unlike }), [
    "Start",
    " of mine",
    "End",
    "Something else entirely",
  ]);
  const items = list(a, m, z);
  const own = list(a, line("m", text("Middle words of mine")), line("new", text("And more")), z);
  assert.deepEqual(texts({ before: [items], mine: [own], theirs: [list(a, z)] }), ["Start\n of mine\nAnd more\nEnd"]);
  assert.deepEqual(texts({ before: [items], mine: [own], theirs: [] }), [" of mine", "And more"]);
  const picture: Node = { type: "image", attrs: { id: "picture", src: "https://example.com/a.png", alt: "A" } };
  const quote = (...content: readonly Node[]) => holder("blockquote", "quote", ...content);
  const [kept] = both({ before: [quote(m)], mine: [quote(m, picture)], theirs: [] });
  assert.deepEqual([kept?.type, kept?.attrs?.alt], ["image", "A"]);
});

test("LIVE17 a cell keeps what is written into it while others sort its table", () => {
  const row = (id: string, ...content: readonly Node[]) =>
    holder("tableRow", id, holder("tableCell", `cell of ${id}`, line(`line of ${id}`, ...content)));
  const sheet = (...rows: readonly Node[]) => [holder("table", "sheet", ...rows)];
  const [one, two, three] = [row("1", text("5")), row("2", text("six")), row("3", text("7"))] as const;
  const mine = sheet(row("1", text("50")), row("2", text("nine")), row("3", text("70")));
  const sorted = texts({ before: sheet(one, two, three), mine, theirs: sheet(three, two, one) }, false);
  assert.deepEqual(sorted, ["70\nnine\n50"]);
});

test("LIVE17 what others had seen when they deleted it stays deleted, and what they wrote stays", () => {
  const state = Y.encodeStateAsUpdate(LiveState.fromBlocks(start, 1).doc);
  const [ada, bob] = [tab(state, 2), tab(state, 3)];
  ada.write(typed);
  bob.live.apply([ada.made()]);
  bob.write([a, z]);
  const options = { origin: "remote", newId: () => "none", makesLines: true };
  assert.equal(applyWithRescue(ada.live, bob.made(), options), undefined);
  assert.deepEqual(ada.live.blocks.map(plainText), ["Start", "End"]);
  assert.deepEqual(texts({ before: start, mine: typed, theirs: [a, z] }, false), ["Start", "End"]);
});

test("LIVE12 a tab that is opened again brings the words that it kept, also where their line is gone from the state", () => {
  const theirs = [line("a", text("StartMiddle words")), z];
  assert.deepEqual(texts({ before: start, mine: typed, theirs, isWhole: true }), ["StartMiddle words of mine", "End"]);
  assert.deepEqual(texts({ before: start, mine: typed, theirs: [a, z], isWhole: true }), ["Start", " of mine", "End"]);
});

for (const stored of [undefined, 0])
  test(`LIVE4 whatever others do meanwhile, each word is there once, ${stored === 0 ? "in a tab that is opened again" : "change by change"}`, () => {
    for (let seed = 1; seed <= 80; seed++) {
      const random = makeRandom(seed);
      const options = (who: string, deletes: boolean) => {
        const word = () => `${who}${ids++}x`;
        return { random, newId: () => `new${ids++}`, word, deletes };
      };
      let blocks: readonly Node[] = [newTable(options("start", false))];
      for (let i = 0; i < 6; i++) blocks = editBlocks(blocks, options("start", false));
      const state = Y.encodeStateAsUpdate(LiveState.fromBlocks(blocks, 1).doc);
      const [ada, bob] = [tab(state, 2), tab(state, 3)];
      for (let i = 0; i < 3; i++) ada.write(editBlocks(ada.live.blocks, options("ada", false)));
      for (let i = 0; i < 4; i++) bob.write(editBlocks(bob.live.blocks, options("bob", true)));
      const wordsOf = () =>
        ada.live.blocks
          .map(plainText)
          .join(" ")
          .match(/ada\d+x/g)
          ?.toSorted();
      const words = wordsOf();
      const change = stored === 0 ? Y.encodeStateAsUpdate(bob.live.doc) : bob.made();
      applyWithRescue(ada.live, change, { ...options("none", false), origin: "remote", makesLines: true, stored });
      assert.deepEqual(wordsOf(), words, `seed ${seed}`);
    }
  });
