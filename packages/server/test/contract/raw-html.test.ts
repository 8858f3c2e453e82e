import assert from "node:assert/strict";
import { before, test } from "node:test";
import { makeBody, readNodes } from "../support/bodies.ts";
import { assertStatus, type Loose } from "../support/client.ts";
import { makeDocument, markdown } from "../support/fixtures.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

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

  test("HTML2 other HTML is kept as written, and comes out safely or as its source", async () => {
    const source =
      '<!-- a note -->\n\n<div align="center" onclick="x()">\n  <script>alert(1)</script>\n</div>\n\n<div align="center">shown &amp; safe</div>\n\npress <kbd>Ctrl</kbd> or <blink>no</blink>\n';
    const { id } = await makeDocument(ada.client, { text: source });
    const { nodes } = await readNodes(ada.client, id);
    assert.deepEqual(
      nodes.map((node: Loose) => node.type),
      ["rawHtml", "rawHtml", "rawHtml", "paragraph"],
    );
    assert.equal(nodes[0].attrs.html, "<!-- a note -->");
    assert.deepEqual(
      nodes[3].content.flatMap((node: Loose) => node.attrs?.html ?? []),
      ["<kbd>", "</kbd>", "<blink>", "</blink>"],
    );
    assert.equal(await text(id), source);
    const shown = await html(id);
    assert.doesNotMatch(shown, /<script|<blink|onclick="/);
    assert.match(shown, /&lt;script&gt;alert\(1\)/);
    assert.match(shown, /<div align="center">shown &amp; safe<\/div>/);
    assert.match(shown, /press <kbd>Ctrl<\/kbd>/);
    assert.doesNotMatch(shown, /a note/);
  });

  test("HTML3 what was kept raw is told on writing and on reading", async () => {
    const document = await makeDocument(ada.client, { text: "x\n" });
    const { data } = await ada.client.put(`/documents/${document.id}/content`, markdown("a <kbd>b</kbd>\n"), {
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
      text: "<div>\n<b>zyzzyva</b> inside\n</div>\n\npress <kbd>qoph</kbd>\n",
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
