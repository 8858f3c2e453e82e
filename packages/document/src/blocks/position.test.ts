import assert from "node:assert/strict";
import { test } from "node:test";
import * as build from "../testing/builders.ts";
import { refusal } from "../testing/refusal.ts";
import { matchHeading } from "./match-heading.ts";
import { type Position, parsePosition, resolvePosition } from "./position.ts";

const { doc, p, h, ul, li, id, idFor, quote, b } = build;

const headings = [
  p("Intro"),
  h(2, "Getting ", b("Started")),
  quote(h(1, "Nested")),
  h(1, "Start"),
  h(3, "STRASSE"),
  h(2, "start"),
  h(2, "ΟΔΟΣ Α"),
];
const matches: [text: string, index: number][] = [
  ["Getting Started", 1],
  ["  getting\u00a0\tSTARTED\n", 1],
  ["gettingstarted", 1],
  ["start", 3],
  ["tart", 1],
  ["Straße", 4],
  ["οδος", 6],
];
for (const [text, index] of matches)
  test(`heading ${JSON.stringify(text)} is block ${index}`, () => assert.equal(matchHeading(headings, text), index));

test("composed and decomposed accents are the same", () => {
  assert.equal(matchHeading([h(1, "e\u0301te\u0301")], "Été"), 0);
});

for (const text of ["Nested", "Intro", "Getting Started now"])
  test(`${text} matches no top-level heading`, () => {
    const { code, details } = refusal(() => matchHeading(headings, text));
    assert.deepEqual([code, details.heading], ["heading_not_found", text]);
  });

const body = doc(id(1, h(1, "One")), id(2, ul(id(3, li(id(4, p("a")))))), id(5, p("b")));
const places: [position: Position, parent: number[], index: number][] = [
  [{ document_start: true }, [], 0],
  [{ document_end: true }, [], 3],
  [{ before_block_id: idFor(5) }, [], 2],
  [{ after_block_id: idFor(4) }, [1, 0], 1],
  [{ before_block_id: idFor(3) }, [1], 0],
  [{ parent_block_id: idFor(2) }, [1], 1],
  [{ parent_block_id: idFor(4) }, [1, 0, 0], 1],
  [{ after_heading: "one" }, [], 1],
];
for (const [position, parent, index] of places)
  test(`${JSON.stringify(position)} is place ${index} in [${parent}]`, () => {
    const place = resolvePosition(body, parsePosition(position), { newId: build.countingIds() });
    assert.deepEqual(place, { parent, index });
  });

for (const bad of [
  null,
  [],
  "document_end",
  {},
  { document_end: 1 },
  { after_block_id: 7 },
  { constructor: 1 },
  { after_heading: "" },
])
  test(`${JSON.stringify(bad)} is no position`, () =>
    assert.equal(refusal(() => parsePosition(bad)).code, "invalid_request"));
