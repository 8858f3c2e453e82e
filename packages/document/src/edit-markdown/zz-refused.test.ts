import { test } from "node:test";
import fc from "fast-check";
import { applyBatch, parseOperations } from "../blocks/batch.ts";
import { DocumentError } from "../errors.ts";
import { parseMarkdown } from "../markdown/parse.ts";
import { serialiseBody } from "../markdown/serialise.ts";
import { normaliseBody } from "../schema/normalise.ts";
import { countingIds } from "../testing/builders.ts";
import { pages, wholeLines } from "./testing/random-edits.ts";

test("x", () => {
  let a = 0,
    r = 0;
  const out: string[] = [];
  fc.assert(
    fc.property(pages, wholeLines, (page, editOf) => {
      const body = normaliseBody({ type: "doc", content: parseMarkdown(page) }, countingIds(1));
      const text = serialiseBody(body.content).text;
      const edit = editOf(text);
      if (edit.old === "" || text.split(edit.old).length !== 2) return;
      try {
        applyBatch(
          body,
          parseOperations([{ op: "edit_markdown", old: edit.old, new: edit.new }]),
          countingIds(100_000),
          { maxCharacters: 1_000_000 },
        );
        a++;
      } catch (e) {
        if (!(e instanceof DocumentError)) throw e;
        r++;
        out.push(JSON.stringify({ text, old: edit.old, new: edit.new, code: e.code }));
      }
    }),
    { numRuns: 1500, seed: 47 },
  );
  console.log(a, r);
  console.log(out.join("\n"));
});
