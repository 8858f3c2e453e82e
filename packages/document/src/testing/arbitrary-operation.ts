import fc from "fast-check";
import { listBlocks } from "../blocks/find.ts";
import type { Attrs, Body, Node } from "../types.ts";
import { arbitraryBlock } from "./arbitrary-body.ts";
import * as build from "./builders.ts";
import type { NaiveOperation } from "./naive-edit.ts";

/** An operation whose block ids are still numbers: the n-th block of the body it will be applied to, or a missing one. */
type Draft = (idAt: (n: number) => string) => NaiveOperation;

const anyNode: fc.Arbitrary<Node> = fc.oneof(
  { weight: 6, arbitrary: arbitraryBlock },
  arbitraryBlock.map((block) => build.li(block)),
  arbitraryBlock.map((block) => build.tr(build.td(block))),
  arbitraryBlock.map((block) => build.td(block)),
  fc.constant(build.b("bold")),
  fc.nat(20).map((n) => build.id(n + 1, build.p("with an id"))),
  fc.nat(20).map((n) => build.quote(build.id(n + 1, build.p("nested with an id")))),
);
const nodes = fc.array(anyNode, { minLength: 1, maxLength: 3 });
const block = fc.nat();

const position: fc.Arbitrary<(idAt: (n: number) => string) => Record<string, unknown>> = fc.oneof(
  fc.constant(() => ({ document_start: true })),
  fc.constant(() => ({ document_end: true })),
  fc
    .tuple(fc.constantFrom("before_block_id", "after_block_id", "parent_block_id"), block)
    .map(([kind, n]) => (idAt: (n: number) => string) => ({ [kind]: idAt(n) })),
  fc.constantFrom("alpha", "AL PHA", "beta", "x", "été", "none of them").map((text) => () => ({ after_heading: text })),
);

const shortText = fc.constantFrom("a", "alpha", "aa", "alphabeta", "ha x", "字", "\udc00", "be", "");
const attrs = fc.constantFrom<Attrs>(
  { level: 3 },
  { level: 9 },
  { x: null },
  { id: "block_00000000000000000000000099" },
  { id: "block_other" },
  { attachmentId: "att_1" },
  {},
);

/** Positions that a block can always take, to outweigh those that it mostly cannot. */
const easyPosition: typeof position = fc.oneof(
  fc.constant(() => ({ document_start: true })),
  fc.constant(() => ({ document_end: true })),
  block.map((n) => (idAt: (n: number) => string) => ({ before_block_id: idAt(n) })),
);

const draft: fc.Arbitrary<Draft> = fc.oneof(
  fc
    .tuple(fc.oneof(position, easyPosition), fc.oneof(nodes, fc.array(arbitraryBlock, { minLength: 1, maxLength: 2 })))
    .map(
      ([at, list]): Draft =>
        (idAt) => ({ op: "insert", position: at(idAt), nodes: list }),
    ),
  block.map(
    (n): Draft =>
      (idAt) => ({ op: "delete", block_id: idAt(n) }),
  ),
  fc.tuple(block, anyNode).map(
    ([n, node]): Draft =>
      (idAt) => ({ op: "replace", block_id: idAt(n), node }),
  ),
  fc.tuple(block, fc.oneof(position, easyPosition)).map(
    ([n, at]): Draft =>
      (idAt) => ({ op: "move", block_id: idAt(n), position: at(idAt) }),
  ),
  fc.tuple(block, attrs).map(
    ([n, set]): Draft =>
      (idAt) => ({ op: "set_attrs", block_id: idAt(n), attrs: set }),
  ),
  fc
    .tuple(
      block,
      fc.boolean(),
      shortText.filter((text) => text !== ""),
      shortText,
      fc.option(fc.nat(3), { nil: undefined, freq: 2 }),
    )
    .map(
      ([n, all, old, by, count]): Draft =>
        (idAt) => ({
          op: "replace_text",
          ...(all ? {} : { block_id: idAt(n) }),
          old,
          new: by,
          ...(count === undefined ? {} : { expected_count: count }),
        }),
    ),
);

const resolve = (body: Body, make: Draft): NaiveOperation => {
  const ids = listBlocks(body, { recursive: true }).map((info) => info.id);
  return make((n) => ids[n % (ids.length + 1)] ?? build.idFor(999_999));
};

/** Makes an operation for the body it is given. */
export const arbitraryOperation = draft.map((make) => (body: Body) => resolve(body, make));

export const arbitraryContent: fc.Arbitrary<(body: Body) => NaiveOperation> = fc
  .tuple(block, fc.oneof(fc.constant<Node[]>([]), nodes))
  .map(
    ([n, content]) =>
      (body) =>
        resolve(body, (idAt) => ({ op: "content", block_id: idAt(n), content })),
  );
