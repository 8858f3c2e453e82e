import assert from "node:assert/strict";
import { test } from "node:test";
import { html, trusted } from "./html.ts";
import { timeText } from "./time-text.ts";

test("WEB8 a template escapes what is put into it, in text and attributes", () => {
  const hostile = `"><script>alert('x')</script>&`;
  assert.equal(
    html`<a title="${hostile}">${hostile}</a>`.text,
    `<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</a>`,
  );
  assert.equal(html`${[html`<b>${1}</b>`, false, null, undefined, "&"]}${trusted("<i>")}`.text, "<b>1</b>&amp;<i>");
});

test("WEB20 times are near words or dates", () => {
  const now = Date.UTC(2026, 10, 15, 12);
  const minute = 60_000;
  const told = [0, -5 * minute, 5 * minute, -26 * 60 * minute, 90 * 24 * 60 * minute];
  assert.deepEqual(
    told.map((distance) => timeText(now + distance, now)),
    ["just now", "5 minutes ago", "in 5 minutes", "yesterday", "13 Feb 2027"],
  );
});
