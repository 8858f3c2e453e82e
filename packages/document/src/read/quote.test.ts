import assert from "node:assert/strict";
import { test } from "node:test";
import type { Body, Node } from "../types.ts";
import { type Quote, quoteFinder } from "./quote.ts";

const paragraph = (id: string, text: string): Node => ({
  type: "paragraph",
  attrs: { id },
  content: [{ type: "text", text }],
});
const findQuote = (body: Body, quote: Quote) => quoteFinder(body)(quote);
const bodyOf = (...content: Node[]): Body => ({ type: "doc", content });
const quote: Quote = { blockId: "a", text: "cat", start: 4, before: "The ", after: " sat" };

test("a quote keeps its place while text comes before it", () => {
  assert.deepEqual(findQuote(bodyOf(paragraph("a", "Well. The cat sat.")), quote), { blockId: "a", start: 10 });
});

test("of equal passages the one with the same words around it counts", () => {
  const body = bodyOf(paragraph("a", "A cat ran. The cat sat."));
  assert.deepEqual(findQuote(body, quote), { blockId: "a", start: 15 });
});

test("a quote that left its block is found in another one, nested blocks included", () => {
  const nested: Node = { type: "blockquote", attrs: { id: "q" }, content: [paragraph("c", "The cat sat.")] };
  const body = bodyOf(paragraph("a", "Nothing."), paragraph("b", "One cat."), nested);
  assert.deepEqual(findQuote(body, quote), { blockId: "c", start: 4 });
});

test("a quote whose text is gone is found nowhere", () => {
  assert.equal(findQuote(bodyOf(paragraph("a", "The dog sat.")), quote), undefined);
});

test("a quote of a block that holds others is found in the text of all of them", () => {
  const list: Node = {
    type: "blockquote",
    attrs: { id: "a" },
    content: [paragraph("x", "The"), paragraph("y", "cat")],
  };
  assert.deepEqual(findQuote(bodyOf(list), quote), { blockId: "a", start: 4 });
});
