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
