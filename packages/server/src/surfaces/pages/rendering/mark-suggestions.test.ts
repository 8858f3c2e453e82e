import assert from "node:assert/strict";
import { test } from "node:test";
import { trusted } from "@svc/web/shared/html";
import { markSuggestions, markWords } from "./mark-suggestions.ts";

test("changed words are marked within their tags", () => {
  assert.equal(
    markWords(
      "<p>We <strong>meet</strong> on Friday &amp; Sunday.</p>",
      "We meet on Friday & Sunday.",
      "We met on Friday.",
    ),
    '<p>We <strong><del class="change-gone">meet</del><ins class="change-added">met</ins></strong> on Friday<del class="change-gone"> </del><del class="change-gone">&amp;</del><del class="change-gone"> Sunday</del>.</p>',
  );
});

test("hostile words stay text", () => {
  assert.equal(markWords("<p>a</p>", "a", "a <b>"), '<p>a<ins class="change-added"> &lt;b&gt;</ins></p>');
});

test("new and removed blocks are marked at their places", () => {
  const page = trusted('<div class="block" id="a"><p>A</p></div>\n<div class="block" id="b"><p>B</p></div>');
  const marked = markSuggestions(
    page,
    ["a", "b"],
    [
      { type: "added", at: "a", before: "", after: "New" },
      { type: "removed", at: "b", before: "B", after: "" },
    ],
  );
  assert.equal(
    marked.text,
    '<div class="block" id="a"><p>A</p></div>\n<div class="suggested-block change-new">New</div><div class="suggested-gone block" id="b"><p>B</p></div>',
  );
});
