import assert from "node:assert/strict";
import { test } from "node:test";
import { imported, pictureOf } from "../../support/archives.ts";
import type { Client, Loose } from "../../support/client.ts";
import { sendArchive, zipOf } from "../../support/fixtures.ts";
import { jobEnded } from "../../support/jobs.ts";
import { png } from "../../support/png.ts";
import { onEachDatabase } from "../../support/world.ts";

const id = (n: number): string => n.toString(16).padStart(32, "0");
const notionPage = (title: string, body: string, properties = ""): string =>
  `<html><head><title>${title}</title></head><body><article class="page sans"><header><div class="page-header-icon"><span class="icon">🚀</span></div><h1 class="page-title">${title}</h1><p class="page-description"></p>${properties && `<table class="properties"><tbody>${properties}</tbody></table>`}</header><div class="page-body">${body}</div></article></body></html>`;
const row = (kind: string, name: string, value: string): string =>
  `<tr class="property-row property-row-${kind}"><th><span class="icon property-icon"><svg viewBox="0 0 16 16"><path d="M1"/></svg></span>${name}</th><td>${value}</td></tr>`;

/** The Markdown of the one page that Notion wrote with this body. */
async function textOf(client: Client, body: string, properties = ""): Promise<{ text: string; job: Loose }> {
  const job = await imported(client, await zipOf({ [`Page ${id(1)}.html`]: notionPage("Page", body, properties) }));
  assert.deepEqual([job.status, job.format], ["succeeded", "notion"], JSON.stringify(job));
  const { texts } = await pictureOf(client, job.knowledge_base_id);
  return { text: texts.get("Page") ?? "", job };
}

onEachDatabase("imports of HTML", (world) => {
  test("IMP12 a Notion export as HTML: tree, titles, links, files and databases", async () => {
    const { client } = await world.person();
    const rows = `<table class="collection-content"><thead><tr><th><span class="icon property-icon"><svg/></span>Name</th><th>Tags</th><th>Done</th></tr></thead><tbody><tr><td class="cell-title"><a href="Shown%20${id(4)}/Row%20${id(5)}.html">Row</a></td><td><span class="selected-value">a</span><span class="selected-value">b</span></td><td><div class="checkbox checkbox-on"></div></td></tr></tbody></table>`;
    const job = await imported(
      client,
      await zipOf({
        "index.html": "<ul><li><a href='x'>Home</a></li></ul>",
        [`Home ${id(1)}.html`]: notionPage(
          "Home: begin",
          `<figure class="link-to-page"><a href="Home%20${id(1)}/Sub%20${id(2)}.html"><span class="icon">📄</span>Sub</a></figure><p>See <a href="https://www.notion.so/Sub-${id(2)}?pvs=21">it</a>, <a href="Home%20${id(1)}/plan.pdf">plan</a>.</p><figure class="image"><a href="Home%20${id(1)}/dot.png"><img style="width:336.5px" src="Home%20${id(1)}/dot.png"/></a><figcaption>A dot</figcaption></figure><div class="collection-content"><h4 class="collection-title">Tasks</h4><a href="Home%20${id(1)}/Tasks%20${id(3)}.csv">Tasks</a></div>`,
        ),
        [`Home ${id(1)}/Sub ${id(2)}.html`]: notionPage("Sub", "<p>Below.</p>"),
        [`Home ${id(1)}/Tasks ${id(3)}.csv`]: "\uFEFFName,Status\nWrite,Done\n",
        [`Home ${id(1)}/Tasks ${id(3)}_all.csv`]: "\uFEFFName,Status\nWrite,Done\nRead,\n",
        [`Home ${id(1)}/Tasks/Write ${id(6)}.html`]: notionPage(
          "Write",
          "<p>Text.</p>",
          row("status", "Status", "Done"),
        ),
        [`Shown ${id(4)}.html`]: notionPage("Shown", rows),
        [`Shown ${id(4)}.csv`]: 'Name,Tags,Done\nRow,"a, b",Yes\n',
        [`Shown ${id(4)}/Row ${id(5)}.html`]: notionPage("Row", ""),
        [`Home ${id(1)}/dot.png`]: png(2, 2),
        [`Home ${id(1)}/plan.pdf`]: "%PDF-1.4\n",
      }),
    );
    assert.deepEqual([job.status, job.format], ["succeeded", "notion"], JSON.stringify(job.error));
    assert.deepEqual([job.documents, job.attachments, job.links_unresolved, job.warnings], [6, 2, 0, []]);
    const { tree, texts } = await pictureOf(client, job.knowledge_base_id);
    assert.deepEqual(tree, [
      "Home/",
      "Home/Tasks/",
      "Home/Tasks/Write",
      "Home/Sub",
      "Home/Tasks",
      "Shown/",
      "Shown/Row",
      "Home: begin",
      "Shown",
    ]);
    const home = texts.get("Home: begin") ?? "";
    assert.match(
      home,
      /^\[📄Sub\]\(svc:\/\/doc\/\w+\)\n\nSee \[it\]\(svc:\/\/doc\/\w+\), \[plan\]\(\/api\/v1\/attachments\/\w+\)\.\n\n<img src="[^"]*" width="336">\n\nA dot\n\n#### Tasks\n\n\[Tasks\]\(svc:/,
    );
    assert.match(texts.get("Tasks") ?? "", /\| \[Write\]\(svc:\/\/doc\/\w+\) \| Done \|\n\| Read \| {2}\|/);
    assert.match(
      texts.get("Shown") ?? "",
      /^\| Name \| Tags \| Done \|\n.*\n\| \[Row\]\(svc:[^)]+\) \| a, b \| Yes \|\n$/,
    );
  });

  test("IMP12 properties of a Notion page become those of the document; what leads somewhere stays a link", async () => {
    const { client } = await world.person();
    const properties = [
      row("status", "Status", `<span class="status-value"><div class="status-dot"></div>Done</span>`),
      row("multi_select", "Tags", `<span class="selected-value">a</span><span class="selected-value">b: c</span>`),
      row("checkbox", "Paid", `<div class="checkbox checkbox-off"></div>`),
      row("number", "Effort", "3.5"),
      row("date", "Due", "<time>@March 9, 2026</time>"),
      row("date", "Span", "<time>@March 1, 2024 → March 5, 2024</time>"),
      row("relation", "Project", `<a href="https://example.org/1">One</a><a href="https://example.org/2">Two</a>`),
      row("text", "Empty", ""),
    ];
    const { text, job } = await textOf(client, "<p>Body.</p>", properties.join(""));
    assert.equal(text, "**Project:** [One](https://example.org/1), [Two](https://example.org/2)\n\nBody.\n");
    assert.deepEqual(job.warnings, []);
    const [document] = (await client.get(`/documents?knowledge_base_id=${job.knowledge_base_id}`)).data;
    assert.deepEqual(document.properties, {
      Status: "Done",
      Tags: ["a", "b: c"],
      Paid: false,
      Effort: 3.5,
      Due: "2026-03-09",
      Span: "March 1, 2024 → March 5, 2024",
      Project: ["One", "Two"],
    });
  });

  test("IMP12 properties beyond what a document may have stand in its text, and are told", async () => {
    const { client } = await world.person();
    const many = Array.from({ length: 65 }, (_, n) => row("text", `P${n}`, `v${n}`));
    const { text, job } = await textOf(client, "<p>Body.</p>", many.join(""));
    assert.match(text, /^\*\*P0:\*\* v0\n\n[\s\S]*\*\*P64:\*\* v64\n\nBody\.\n$/);
    assert.match(job.warnings.join(), /the properties are kept as text/);
  });

  const block = (id: string) => `id="${id}" class=""`;
  const cases: [what: string, html: string, markdown: string][] = [
    [
      "items that follow each other are one list, nested ones too",
      `<ul class="bulleted-list"><li style="list-style-type:disc">one<ul class="bulleted-list"><li>in</li></ul><ul class="bulleted-list"><li>in too</li></ul></li></ul><ul class="bulleted-list"><li>two</li></ul><ol type="1" class="numbered-list" start="1"><li>a</li></ol><ol type="1" class="numbered-list" start="2"><li>b</li></ol>`,
      "- one\n  - in\n  - in too\n- two\n\n1. a\n2. b\n",
    ],
    [
      "tasks of old and of new exports",
      `<div style="display:contents" dir="ltr"><ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">done</span><div class="indented"></div></li></ul></div><ul class="to-do-list"><li><input type="checkbox" class="checkbox checkbox-off"/> <span>open</span><div class="indented"><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>sub</span></li></ul></div></li></ul>`,
      "- [x] done\n- [ ] open\n  - [ ] sub\n",
    ],
    [
      "toggles",
      `<ul class="toggle"><li><details open=""><summary>More <strong>here</strong></summary><p ${block("x")}>Hidden.</p></details></li></ul>`,
      "<details open>\n<summary>More **here**</summary>\n\nHidden.\n\n</details>\n",
    ],
    [
      "callouts, whose sign says the kind or stays",
      `<figure class="block-color-gray_background callout" style="display:flex"><div style="font-size:1.5em"><span class="icon">⚠️</span></div><div style="width:100%">Hot</div></figure><aside class="callout"><div><span class="icon">🦊</span></div><div style="width:100%"><p>Fox</p><ul class="bulleted-list"><li>x</li></ul></div></aside>`,
      "> [!WARNING]\n> Hot\n\n> [!NOTE]\n> 🦊\n>\n> Fox\n>\n> - x\n",
    ],
    [
      "code with its language",
      `<pre class="code"><code class="language-JavaScript">let a = 1;\n\nlet b;</code></pre><pre class="code"><code class="language-Plain Text">a\n b</code></pre><pre><code class="language-C++">x</code></pre>`,
      "```javascript\nlet a = 1;\n\nlet b;\n```\n\n```\na\n b\n```\n\n```cpp\nx\n```\n",
    ],
    ["line ends that were written", "<p>one\ntwo<br/>three\n</p><p>\n</p>", "one\\\ntwo\\\nthree\n"],
    [
      "bookmarks, and pictures that lead to themselves",
      `<figure><a href="https://x.example" class="bookmark source"><div class="bookmark-info"><div class="bookmark-text"><div class="bookmark-title">X site</div><div class="bookmark-description">All of X.</div></div></div></a></figure><figure class="image"><a href="https://x.example/a.png"><img src="https://x.example/a.png"/></a></figure>`,
      "[X site](https://x.example)\n\nAll of X.\n\n![](https://x.example/a.png)\n",
    ],
    [
      "formulas, underlining and colours",
      `<figure class="equation"><style>@import url('x')</style><div class="equation-container"><span class="katex-display"><span class="katex"><span class="katex-mathml"><math><semantics><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span></span></span></div></figure><p><span style="border-bottom:0.05em solid">under</span> <mark class="highlight-yellow_background">marked</mark> <time>@May 6, 2026</time></p><nav class="table_of_contents"><div><a href="#x">Heading</a></div></nav>`,
      "$$\nx^2\n$$\n\n<u>under</u> <mark>marked</mark> May 6, 2026\n",
    ],
  ];
  for (const [what, html, markdown] of cases)
    test(`IMP12 of Notion's HTML: ${what}`, async () => {
      const { client } = await world.person();
      const { text, job } = await textOf(client, html);
      assert.equal(text, markdown);
      assert.deepEqual(job.warnings, []);
    });

  test("IMP12 coloured text of a Notion page keeps its colour", async () => {
    const { client } = await world.person();
    const { job } = await textOf(
      client,
      `<p>a <mark class="highlight-red">b</mark> <mark class="highlight-default">c</mark></p>`,
    );
    const [{ id: document }] = (await client.get(`/documents?knowledge_base_id=${job.knowledge_base_id}`)).data;
    const [paragraph] = (await client.get(`/documents/${document}/content`)).data.document.content;
    assert.deepEqual(
      paragraph.content.map(({ text, marks = [] }: Loose) => [text, marks[0]?.attrs?.color]),
      [
        ["a ", undefined],
        ["b", "#d44c47"],
        [" c", undefined],
      ],
    );
  });

  test("IMP21 a folder of HTML files keeps its tree, titles, links, anchors and pictures", async () => {
    const { client } = await world.person();
    const page = (title: string, body: string) =>
      `<!doctype html><html><head><title>${title}</title><style>p{}</style></head><body><nav><a href="/">All</a></nav><main>${body}</main><footer>Made by hand</footer></body></html>`;
    const job = await imported(
      client,
      await zipOf({
        "site/index.html": page(
          "Start",
          `<h1>Start</h1><ul><li><a href="guide/">Guide</a></li><li><a href="guide/deep.htm#second-part">Deep</a></li></ul><p><img src="img/dot.png" alt="dot"></p>`,
        ),
        "site/guide/index.html": page("Guide &amp; more", `<p>Text, <a href="../gone.html">gone</a>.</p>`),
        "site/guide/deep.htm":
          "<h1>Deep</h1><h2>Second part</h2><aside class='callout callout-tip'><p>Hint.</p></aside>",
        "site/img/dot.png": png(2, 2),
        "site/style.css": "p {}",
      }),
    );
    assert.deepEqual([job.status, job.format], ["succeeded", "html"], JSON.stringify(job));
    assert.deepEqual([job.documents, job.attachments, job.links_resolved, job.links_unresolved], [3, 1, 2, 1]);
    assert.equal(job.warnings.length, 1);
    const { tree, texts } = await pictureOf(client, job.knowledge_base_id);
    assert.deepEqual(tree, ["guide/", "guide/Deep", "guide/Guide & more", "Start"]);
    assert.match(
      texts.get("Start") ?? "",
      /^# Start\n\n- \[Guide\]\(svc:\/\/doc\/\w+\)\n- \[Deep\]\(svc:\/\/doc\/\w+#block=\w+\)\n\n!\[dot\]/,
    );
    assert.equal(texts.get("Deep"), "# Deep\n\n## Second part\n\n> [!TIP]\n> Hint.\n");
  });

  test("IMP21 one HTML file by itself", async () => {
    const { client } = await world.person();
    const { data } = await sendArchive(client, Buffer.from("<h1>Plan</h1><p>One.</p>"), undefined, "My plan.html");
    const job = await jobEnded(client, "import-jobs", data.id);
    assert.deepEqual([job.status, job.format, job.documents], ["succeeded", "html", 1], JSON.stringify(job));
    const { texts } = await pictureOf(client, job.knowledge_base_id);
    assert.deepEqual([...texts], [["Plan", "# Plan\n\nOne.\n"]]);
  });
});
