import assert from "node:assert/strict";
import { before, test } from "node:test";
import { makeBody, readNodes } from "../../support/bodies.ts";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("HTML in Markdown", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const html = async (id: string) => (await ada.client.get(`/documents/${id}/content?format=html`)).text;
  const text = async (id: string) => (await ada.client.get(`/documents/${id}/content?format=markdown`)).text;

  test("HTML1 HTML that our nodes and marks say becomes them", async () => {
    const source =
      '<h2 align="center">A <b>title</b></h2>\n\nx<sub>2</sub> <a href="https://a.example">y</a>\n\n<hr>\n';
    const { id } = await makeDocument(ada.client, { text: source });
    const { nodes } = await readNodes(ada.client, id);
    assert.deepEqual([nodes[0].type, nodes[0].attrs.level, nodes[0].attrs.textAlign], ["heading", 2, "center"]);
    assert.deepEqual(nodes[0].content[1].marks, [{ type: "bold" }]);
    assert.equal(nodes[1].content[1].marks[0].type, "subscript");
    assert.equal(nodes[1].content.at(-1).marks[0].type, "link");
    assert.equal(nodes[2].type, "horizontalRule");
    assert.match(await html(id), /<h2 id="a-title" style="text-align:center">A <strong>title<\/strong><\/h2>/);
    assert.equal(await text(id), source);
  });

  /** A tag of the list, Markdown that has it, and the node or mark that says it; `align` where it takes one. */
  const said: readonly (readonly [tag: string, source: string, type: string])[] = [
    ...Object.entries({
      bold: ["b", "strong"],
      italic: ["i", "em"],
      underline: ["u"],
      strike: ["s", "del"],
      code: ["code"],
      kbd: ["kbd"],
      subscript: ["sub"],
      superscript: ["sup"],
      highlight: ["mark"],
    }).flatMap(([type, tags]) => tags.map((tag) => [tag, `x <${tag}>y</${tag}> z\n`, type] as const)),
    ["a", 'x <a href="https://a.example" title="t">y</a>\n', "link"],
    ["img", 'x <img src="https://a.example/p.png" width="9"> y\n', "inlineImage"],
    ["br", "x<br>y\n", "hardBreak"],
    ["hr", "<hr>\n", "horizontalRule"],
    ["p", '<p align="right">x <kbd>y</kbd></p>\n', "paragraph"],
    ...[1, 2, 3, 4, 5, 6].map((n) => [`h${n}`, `<h${n} align="center">x</h${n}>\n`, "heading"] as const),
    ["ul", "<ul>\n<li>x</li>\n</ul>\n", "bulletList"],
    ["ol", '<ol start="3">\n<li>x</li>\n</ol>\n', "orderedList"],
    ["blockquote", "<blockquote>x</blockquote>\n", "blockquote"],
    ["pre", "<pre>x\n  y</pre>\n", "codeBlock"],
    ["table", '<table><tr><th align="right">x</th></tr><tr><td align="right">y</td></tr></table>\n', "table"],
    ["details", "<details open><summary>x</summary>y</details>\n", "details"],
    ["details", "<details>\n<summary>x</summary>\n\n- y\n\n</details>\n", "details"],
  ];
  for (const [tag, source, type] of said)
    test(`HTML1 ${tag} becomes ${type}, and is written back as it was: ${JSON.stringify(source)}`, async () => {
      const { id } = await makeDocument(ada.client, { text: source });
      const { nodes } = await readNodes(ada.client, id);
      const types: string[] = [];
      const collect = (node: Loose): void => {
        types.push(node.type, ...(node.marks ?? []).map((mark: Loose) => mark.type));
        for (const child of node.content ?? []) collect(child);
      };
      for (const node of nodes) collect(node);
      assert.ok(types.includes(type) && !types.some((name) => /rawHtml/i.test(name)), types.join(" "));
      const side = /align="(\w+)"/.exec(source)?.[1];
      if (side) assert.match(await html(id), new RegExp(`text-align:${side}`));
      const reply = await ada.client.get(`/documents/${id}/content?format=markdown`);
      assert.equal(reply.text, source);
      assert.deepEqual(JSON.parse(reply.headers.get("x-content-warnings") ?? "[]"), []);
    });

  test("HTML2 other HTML is kept as written, and comes out safely or as its source", async () => {
    const source =
      '<!-- a note -->\n\n<div align="center" onclick="x()">\n  <script>alert(1)</script>\n</div>\n\n<div align="center">shown &amp; safe</div>\n\npress <abbr>Ctrl</abbr> or <blink>no</blink>\n';
    const { id } = await makeDocument(ada.client, { text: source });
    const { nodes } = await readNodes(ada.client, id);
    assert.deepEqual(
      nodes.map((node: Loose) => node.type),
      ["rawHtml", "rawHtml", "rawHtml", "paragraph"],
    );
    assert.equal(nodes[0].attrs.html, "<!-- a note -->");
    assert.deepEqual(
      nodes[3].content.flatMap((node: Loose) => node.attrs?.html ?? []),
      ["<abbr>", "</abbr>", "<blink>", "</blink>"],
    );
    assert.equal(await text(id), source);
    const shown = await html(id);
    assert.doesNotMatch(shown, /<script|<blink|onclick="/);
    assert.match(shown, /&lt;script&gt;alert\(1\)/);
    assert.match(shown, /<div align="center">shown &amp; safe<\/div>/);
    assert.match(shown, /press <abbr>Ctrl<\/abbr>/);
    assert.doesNotMatch(shown, /a note/);
  });

  test("HTML3 what was kept raw is told on writing and on reading", async () => {
    const document = await makeDocument(ada.client, { text: "x\n" });
    const { data } = await ada.client.put(`/documents/${document.id}/content`, markdown("a <abbr>b</abbr>\n"), {
      ifMatch: "*",
    });
    assert.deepEqual(
      data.warnings.map(({ code, node_type }: Loose) => [code, node_type]),
      [["raw_html", "inlineRawHtml"]],
    );
    const reply = assertStatus(await ada.client.get(`/documents/${document.id}/content?format=markdown`), 200);
    assert.equal(JSON.parse(reply.headers.get("x-content-warnings") ?? "[]")[0].code, "raw_html");
  });

  test("HTML4 raw HTML is found by its words", async () => {
    const { id } = await makeDocument(ada.client, {
      text: "<div>\n<b>zyzzyva</b> inside\n</div>\n\npress <abbr>qoph</abbr>\n",
    });
    for (const word of ["zyzzyva", "qoph"]) {
      const { data } = await ada.client.get(`/search/v2?q=${word}`);
      assert.deepEqual(
        data.map((hit: Loose) => hit.document_id),
        [id],
      );
    }
  });

  test("HTML5 raw HTML sent as JSON never comes out as markup of ours", async () => {
    const { id } = await makeBody(ada.client, [
      { type: "rawHtml", attrs: { html: "<img src=x onerror=alert(1)>" } },
      { type: "paragraph", content: [{ type: "inlineRawHtml", attrs: { html: "</p><script>" } }] },
      { type: "rawHtml", attrs: { html: "</div></article><p>out" } },
    ]);
    assert.doesNotMatch(await html(id), /<img|<script|<\/article>/);
    const again = await text(id);
    const copy = await makeDocument(ada.client, { text: again });
    assert.equal(await text(copy.id), again);
  });

  test("HTML6 mentions, videos and emoji are taken, and shown as text or links", async () => {
    const { id } = await makeBody(ada.client, [
      {
        type: "paragraph",
        content: [
          { type: "mention", attrs: { kind: "user", id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCM", label: "Ada" } },
          { type: "emoji", attrs: { name: "smile" } },
        ],
      },
      { type: "youtube", attrs: { src: "https://video.example/v" } },
    ]);
    assert.match(await html(id), /<span class="mention">@Ada<\/span>:smile:/);
    assert.match(await html(id), /<a href="https:\/\/video\.example\/v"/);
    assert.match(await text(id), /^\[@Ada\]\(svc:\/\/user\/user_01K9ZQ4T6N4Y3V7J8W2M5R1XCM\):smile:/);
  });
});
