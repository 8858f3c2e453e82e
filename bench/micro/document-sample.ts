import { defined } from "@svc/document/defined";
import { normaliseBody } from "@svc/document/schema/normalise";
import * as build from "@svc/document/testing/builders";
import type { Body, Node } from "@svc/document/types";

/** A body of ordinary mixture: paragraphs with marks, headings, lists, tables, code. */
export function sampleBody(blocks: number): Body {
  const content = Array.from({ length: blocks }, (_, i) => sampleBlock(i));
  return normaliseBody(build.doc(...content), build.countingIds());
}

const sentence = "The quick brown fox jumps over the lazy dog, again and again, until the evening comes. ";

function sampleBlock(i: number): Node {
  switch (i % 10) {
    case 0:
      return build.h(1 + (i % 3), `Section ${i}`);
    case 3:
      return build.ul(...[1, 2, 3].map((n) => build.li(build.p(`Item ${n} of ${i}. ${sentence}`))));
    case 6:
      return build.code(`const x${i} = ${i};\nconsole.log(x${i});\n`, "js");
    case 8:
      return build.table(
        build.tr(build.th(build.p("Name")), build.th(build.p("Value"))),
        build.tr(build.td(build.p(`n${i}`)), build.td(build.p(`${i}`))),
      );
    default:
      return build.p(
        `${i}: ${sentence}`,
        build.b("important"),
        " and ",
        build.a("https://example.org/", "linked"),
        ".",
      );
  }
}

/** The median time of a few runs, in milliseconds. */
export function median(work: () => unknown, runs = 15): number {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return defined(times.sort((a, b) => a - b)[runs >> 1]);
}

export const ratio = (a: number, b: number): string => `${(a / b).toFixed(2)}×`;
