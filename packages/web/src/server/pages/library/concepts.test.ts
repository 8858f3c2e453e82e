import assert from "node:assert/strict";
import { test } from "node:test";
import { conceptPage } from "./concepts.ts";

const concept = {
  name: "Release",
  base: undefined,
  aliases: [],
  description: "",
  labels: [],
  canonical: undefined,
  evidence: [],
  evidenceCount: 0,
  relations: [],
  relationCount: 0,
  graph: { nodes: [], edges: [] },
};

test("WEB44 a relation reads right from either end", () => {
  const relations = [
    { predicate: "broader_than", isOutgoing: true, id: "a", name: "A" },
    { predicate: "broader_than", isOutgoing: false, id: "b", name: "B" },
    { predicate: "related_to", isOutgoing: false, id: "c", name: "C" },
  ];
  const words = conceptPage({ ...concept, relations, relationCount: 3 }).main.text.matchAll(/<li>([a-z ]+) <a/g);
  assert.deepEqual(
    Array.from(words, ([, word]) => word),
    ["broader than", "narrower than", "related to"],
  );
});

test("WEB44 of very much evidence the latest are shown, and the number of the others", () => {
  const evidence = Array.from({ length: 100 }, (_, index) => ({
    documentId: `doc_${index}`,
    blockId: null,
    title: `Page ${index}`,
    isStale: false,
    isGone: false,
  }));
  const { text } = conceptPage({ ...concept, evidence, evidenceCount: 1500 }).main;
  assert.equal(text.match(/href="\/documents\//g)?.length, 100);
  assert.match(text, /And 1,400 more\./);
});

test("WEB44 the drawing is made for narrow screens, too, with as many neighbours as have room", () => {
  const node = (index: number) => ({ id: `c${index}`, name: `Concept ${index}`, depth: index === 0 ? 0 : 1 });
  const nodes = Array.from({ length: 30 }, (_, index) => node(index));
  const relations = [{ predicate: "related_to", isOutgoing: true, id: "c1", name: "Concept 1" }];
  const { text } = conceptPage({ ...concept, relations, relationCount: 1, graph: { nodes, edges: [] } }).main;
  const drawings = text.split('<svg class="graph ').slice(1);
  assert.deepEqual(
    drawings.map((each) => [/viewBox="0 0 (\d+)/.exec(each)?.[1], each.match(/<circle/g)?.length]),
    [
      ["720", 24],
      ["320", 9],
    ],
  );
});

test("WEB93 a finger meets each concept of the drawing, and no two at once", () => {
  const nodes = Array.from({ length: 9 }, (_, index) => ({ id: `c${index}`, name: "C", depth: index === 0 ? 0 : 1 }));
  const relations = [{ predicate: "related_to", isOutgoing: true, id: "c1", name: "C" }];
  const { text } = conceptPage({ ...concept, relations, relationCount: 1, graph: { nodes, edges: [] } }).main;
  const narrow = text.split('<svg class="graph ')[2] ?? "";
  const areas = Array.from(
    narrow.matchAll(/<rect class="graph-touch" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g),
    (found) => found.slice(1).map(Number),
  );
  assert.equal(areas.length, 8);
  for (const [index, [x = 0, y = 0, width = 0, height = 0]] of areas.entries()) {
    assert.ok(width >= 44 && height >= 44);
    for (const [otherX = 0, otherY = 0] of areas.slice(index + 1))
      assert.ok(Math.abs(x - otherX) >= width || Math.abs(y - otherY) >= height, `${x} ${y} and ${otherX} ${otherY}`);
  }
});
