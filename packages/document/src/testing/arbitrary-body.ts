import fc from "fast-check";
import { normaliseBody } from "../schema/normalise.ts";
import type { Body, Mark, Node } from "../types.ts";
import * as build from "./builders.ts";

const words = fc.constantFrom("alpha", "beta", "gamma", " ", "x", "été", "漢字", "😀", "\ud800", "<b>", "__proto__");
const phrase = fc.array(words, { minLength: 1, maxLength: 4 }).map((list) => list.join(""));
const marks: fc.Arbitrary<Mark[]> = fc.subarray([build.bold, build.italic, build.link("https://a.example/")]);

const inline: fc.Arbitrary<Node> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(phrase, marks).map(([value, list]) => build.text(value, ...list)) },
  fc.constant(build.br),
  fc.constant(build.inlineMath("x^2")),
);
const line = fc.array(inline, { maxLength: 4 });

const flat: fc.Arbitrary<Node> = fc.oneof(
  line.map((content) => build.p(...content)),
  fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(([level, content]) => build.h(level, ...content)),
  phrase.map((value) => build.code(value, "js")),
  fc.constant(build.hr),
  fc.constant(build.img({ src: "/a.png", alt: "a", custom: { deep: [1, null] } })),
);

/** Any block, nested a few levels at most; no ids. */
export const arbitraryBlock: fc.Arbitrary<Node> = fc.letrec<{ block: Node; blocks: Node[] }>((tie) => ({
  blocks: fc.array(tie("block"), { minLength: 1, maxLength: 3 }),
  block: fc.oneof(
    { maxDepth: 3, depthSize: "small", withCrossShrink: true },
    flat,
    fc
      .array(tie("blocks"), { minLength: 1, maxLength: 3 })
      .map((items) => build.ul(...items.map((item) => build.li(...item)))),
    tie("blocks").map((content) => build.quote(...content)),
    tie("blocks").map((content) => build.tasks(build.task(true, ...content))),
    tie("blocks").map((content) => build.table(build.tr(build.th(build.p("h")), build.td(...content)))),
    tie("blocks").map((content) => build.details(false, build.summary("s"), build.detailsContent(...content))),
  ),
})).block;

/** A normalised body; its ids count from 1. */
export const arbitraryBody: fc.Arbitrary<Body> = fc
  .array(arbitraryBlock, { maxLength: 8 })
  .map((blocks) => normaliseBody(build.doc(...blocks), build.countingIds()));

/** Freezes a value all the way down, so that an edit that writes into its input fails. */
export function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  }
  return value;
}
