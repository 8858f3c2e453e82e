import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { serialiseBody } from "@svc/document/markdown/serialise";
import { normaliseNodes } from "@svc/document/schema/normalise";
import { validateBody } from "@svc/document/schema/validate";
import {
  countingIds,
  details,
  detailsContent,
  h,
  li,
  p,
  summary,
  table,
  td,
  text,
  tr,
  ul,
} from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { StoredBody } from "../../../../bodies/body.ts";
import { cut } from "../../../../bodies/segment.ts";
import type { DocumentType } from "../../../../db/schema/tables/documents.ts";
import { copyBlocks } from "./copy-blocks.ts";
import { insertLines } from "./insert-lines.ts";
import { listSourceBlocks } from "./text-blocks.ts";

const stored = (nodes: readonly Node[], document_type: DocumentType = "document") =>
  new StoredBody(
    { version: "v", revision: 1, live_revisions: 0, document_type },
    cut(normaliseNodes(nodes, countingIds(ids))),
  );
let ids = 1;

/** Inserts every line of the source, in capitals, into a target that already has those of the `known` source texts. */
function place(
  nodes: readonly Node[],
  isKnown: (words: string) => boolean,
  target?: readonly Node[],
  type?: DocumentType,
) {
  ids += 1000;
  const source = stored(nodes, type);
  ids += 1000;
  const words = (node: Node) => (node.content ?? []).map((inner) => inner.text).join("");
  const lines = listSourceBlocks(source);
  const kept = stored(target ?? [], type);
  const copied = copyBlocks(source, "copy_content");
  const there = target ? kept : stored(prune(copied.blocks, isKnown), type);
  const links = target
    ? new Map(
        lines
          .filter((one) => isKnown(words(one.node)))
          .map((one, i) => [one.id, defined(listSourceBlocks(kept)[i]).id]),
      )
    : new Map(
        lines.filter((one) => isKnown(words(one.node))).map((one) => [one.id, defined(copied.links.get(one.id))]),
      );
  const wanted = lines.map((one) => ({ sourceBlockId: one.id, nodes: [text(words(one.node).toUpperCase())] }));
  const placed = insertLines(there, source, wanted, links);
  validateBody({ type: "doc", content: placed.blocks }, { maxCharacters: 1e6, documentType: type ?? "document" });
  return { text: serialiseBody(placed.blocks).text.trim(), ...placed };
}

const prune = (nodes: readonly Node[], isKnown: (words: string) => boolean): Node[] =>
  nodes.flatMap((node) => {
    const content = node.content ?? [];
    if (content[0]?.type === "text") return isKnown(content.map((inner) => inner.text).join("")) ? [node] : [];
    const kept = prune(content, isKnown);
    return kept.length > 0 ? [{ ...node, content: kept }] : [];
  });

const only =
  (...known: string[]) =>
  (words: string) =>
    known.includes(words);

describe("LOC35 lines whose block is not there", () => {
  const list = [h(1, "t"), ul(li(p("a")), li(p("b"), ul(li(p("c")))), li(p("d"))), p("z")];
  const whole = "# T\n\n- A\n- B\n  - C\n- D\n\nZ";
  for (const known of [[], ["t"], ["z"], ["a"], ["b"], ["c"], ["d"], ["a", "d"], ["t", "c", "z"]])
    test(`are made where they stand in the source, with ${known.join(", ") || "nothing"} there`, () => {
      assert.equal(place(list, only(...known)).text, whole);
    });

  test("rows and cells of a table", () => {
    const rows = [table(tr(td(p("a")), td(p("b"))), tr(td(p("c")), td(p("d"))))];
    for (const known of [
      ["a", "b"],
      ["c", "d"],
      ["a", "c"],
      ["b", "d"],
    ])
      assert.deepEqual(
        defined(defined(place(rows, only(...known), undefined, "spreadsheet").blocks[0]).content).map((row) =>
          defined(row.content)
            .map((cell) => defined(defined(defined(defined(cell.content)[0]).content)[0]).text)
            .join(""),
        ),
        ["AB", "CD"],
        known.join(),
      );
  });

  test("the summary of details", () => {
    const { blocks } = place([details(true, summary("s"), detailsContent(p("a")))], only("a"));
    assert.deepEqual(
      defined(defined(blocks[0]).content).map((part) => part.type),
      ["detailsSummary", "detailsContent"],
    );
  });

  test("a paragraph of its own where the target is built differently", () => {
    const { text: result } = place([ul(li(p("a")), li(p("b"))), p("z")], only("a", "z"), [p("other a"), p("other z")]);
    assert.equal(result, "A\n\nB\n\nZ");
  });

  test("none in a spreadsheet that is built differently", () => {
    const source = [table(tr(td(p("a"), ul(li(p("b")), li(p("c"))))))];
    const target = [table(tr(td(p("other a"), p("other b"))))];
    const { unplaced, blocks } = place(source, only("a", "b"), target, "spreadsheet");
    assert.equal(unplaced.size, 1);
    assert.equal(blocks.length, 1);
  });
});
