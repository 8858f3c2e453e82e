import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { imported, pictureOf } from "../../support/archives.ts";
import { assertStatus, type Loose } from "../../support/client.ts";
import { sendArchive, zipOf } from "../../support/fixtures.ts";
import { jobEnded } from "../../support/jobs.ts";
import { onEachDatabase } from "../../support/world.ts";

const sample = (name: string): Buffer => readFileSync(join(import.meta.dirname, "../../support/samples", name));
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const links = (text = ""): string[] =>
  [...text.matchAll(/\]\((svc:[^)\s]+|\/api[^)\s]+)/g)].map(([, href = ""]) => href);

const paragraph = (properties: string, ...runs: string[]): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${runs.join("")}</w:p>`;
const words = (text: string, properties = ""): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const styled = (id: string): string => `<w:pStyle w:val="${id}"/>`;
const item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>';
const border = (...sides: string[]): string =>
  `<w:pBdr>${sides.map((side) => `<w:${side} w:val="single" w:sz="6"/>`).join("")}</w:pBdr>`;

/** A Word file with what only properties of its paragraphs say. */
function layoutFile(): Record<string, string> {
  const names =
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"';
  const rule = '<w:r><w:rPr><w:b/></w:rPr><w:pict><v:rect o:hr="t"/></w:pict></w:r>';
  const body = [
    paragraph(`${styled("Heading1")}<w:jc w:val="center"/>`, words("Middle")),
    paragraph("", words("before", "<w:b/>"), rule, words("after")),
    paragraph(border("bottom")),
    paragraph(styled("Quote"), words("outer")),
    paragraph(`${styled("Quote")}<w:ind w:left="1440"/>`, words("inner")),
    paragraph(`${styled("Quote")}<w:ind w:left="2160" w:right="864"/>`, words("innermost")),
    paragraph(styled("Quote"), words("outer again")),
    paragraph(`${item}<w:jc w:val="right"/>`, words("item")),
    paragraph(item, words("plain")),
    paragraph(border("top", "bottom", "left", "right"), words("boxed")),
  ];
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const relations = (...parts: [type: string, target: string][]) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${parts.map(([type, target], i) => `<Relationship Id="r${i}" Type="${office}/${type}" Target="${target}"/>`).join("")}</Relationships>`;
  const style = (id: string, name: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  return {
    "[Content_Types].xml":
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    "_rels/.rels": relations(["officeDocument", "word/document.xml"]),
    "word/_rels/document.xml.rels": relations(["styles", "styles.xml"], ["numbering", "numbering.xml"]),
    "word/document.xml": `<w:document ${names}><w:body>${body.join("")}</w:body></w:document>`,
    "word/styles.xml": `<w:styles ${names}>${style("Heading1", "heading 1")}${style("Quote", "Quote")}</w:styles>`,
    "word/numbering.xml": `<w:numbering ${names}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
  };
}

onEachDatabase("imports from other programs", (world) => {
  test("IMP12 a Notion export: ids go from names, databases become tables, links are mapped", async () => {
    const { client } = await world.person();
    const [home, sub, base, row] = ["a", "b", "c", "d"].map((digit) => digit.repeat(32));
    const part = await zipOf({
      [`Home ${home}.md`]: `# Home\n\n[Sub](Home%20${home}/Sub%20${sub}.md), [web](https://www.notion.so/Sub-${sub}?pvs=4), [tasks](Home%20${home}/Tasks%20${base}.csv)\n\n![dot](Home%20${home}/dot.png)\n\n[gone](Gone%20${"e".repeat(32)}.md)\n`,
      [`Home ${home}/Sub ${sub}.md`]: `# Sub\n\n[up](../Home%20${home}.md)\n`,
      [`Home ${home}/Tasks ${base}.csv`]: '\uFEFFName,Status\nWrite,"Done, really"\n',
      [`Home ${home}/Tasks ${base}_all.csv`]: '\uFEFFName,Status\nWrite,"Done, really"\nRead,\n',
      [`Home ${home}/Tasks ${base}/Write ${row}.md`]: "# Write\n\nStatus: Done\n",
      [`Home ${home}/dot.png`]: PNG,
    });
    const job = await imported(client, await zipOf({ "ExportBlock-Part-1.zip": part }), "Notes");
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    assert.deepEqual([job.format, job.documents, job.attachments], ["notion", 4, 1]);
    assert.deepEqual([job.links_resolved, job.links_unresolved], [5, 1]);
    assert.equal(job.warnings.length, 1);
    const { tree, texts } = await pictureOf(client, job.knowledge_base_id);
    assert.deepEqual(tree, ["Home/", "Home/Tasks/", "Home/Tasks/Write", "Home/Sub", "Home/Tasks", "Home"]);
    assert.equal(links(texts.get("Home")).length, 4);
    const table = texts.get("Tasks") ?? "";
    assert.match(
      table,
      /\| Name \| Status \|\n.*\n\| \[Write\]\(svc:\/\/doc\/\w+\) \| Done, really \|\n\| Read \| {2}\|/,
    );
  });

  test("IMP12 rows of a Notion database lead to their own pages, whatever the names of their files", async () => {
    const { client } = await world.person();
    const id = (n: number) => n.toString(16).padStart(32, "0");
    const long = "A name that is far longer than what Notion gives to the name of a file";
    const rows = [
      ["Meeting", "Done", "second"],
      ["Meeting", "Open", "first"],
      ["Meeting", "", "third"],
      ["Plan: a/b?", "Open", "sign"],
      ["Plan a b", "Open", "no sign"],
      [long, "Open", "long"],
      ["1_000 \\*", "Done", "marks"],
      ["Alone", "Done", "alone"],
      ["Lost", "Open", ""],
    ];
    const page = (title: string, status: string, text: string) =>
      `# ${title}\n\n${status && `Status: ${status}\n`}\n${text}\n`;
    const archive = await zipOf({
      [`Home ${id(99)}.md`]: "# Home\n",
      [`Home/Tasks ${id(98)}.csv`]: `Name,Status,Text\n${rows.map((row) => row.join(",")).join("\n")}\n`,
      [`Home/Tasks/Meeting ${id(1)}.md`]: page("Meeting", "Open", "first"),
      [`Home/Tasks/Meeting ${id(2)}.md`]: page("Meeting", "Done", "second"),
      [`Home/Tasks/Meeting ${id(3)}.md`]: page("Meeting", "", "third"),
      [`Home/Tasks/Plan a b ${id(4)}.md`]: page("Plan: a/b?", "Open", "sign"),
      [`Home/Tasks/Plan a b ${id(5)}.md`]: page("Plan a b", "Open", "no sign"),
      [`Home/Tasks/${long.slice(0, 50)} ${id(6)}.md`]: page(long, "Open", "long"),
      [`Home/Tasks/1 000 ${id(7)}.md`]: page("1\\_000 \\\\\\*", "Done", "marks"),
      [`Home/Tasks/Alone ${id(8)}.md`]: "No heading.\n\nalone\n",
    });
    const job = await imported(client, archive);
    assert.deepEqual([job.status, job.format, job.links_unresolved], ["succeeded", "notion", 0], JSON.stringify(job));
    const base = `knowledge_base_id=${job.knowledge_base_id}`;
    const bodies = new Map<string, string>();
    for (const { id: document } of (await client.get(`/documents?${base}&limit=100`)).data)
      bodies.set(document, (await client.get(`/documents/${document}/content?format=markdown`)).text);
    const table = [...bodies.values()].find((text) => text.includes("| Name |")) ?? "";
    const lines = table
      .split("\n")
      .filter((line) => /^\| .*\|$/.test(line))
      .slice(2);
    const told = lines.map(
      (line) =>
        bodies
          .get(/svc:\/\/doc\/(\w+)/.exec(line)?.[1] ?? "")
          ?.trim()
          .split("\n")
          .at(-1) ?? "",
    );
    assert.deepEqual(
      told,
      rows.map(([, , text]) => text),
      table,
    );
  });

  test("IMP11 an archive that is not known is refused with those that are", async () => {
    const { client } = await world.person();
    const archive = await zipOf({ "Home.rtf": "{\\rtf1 Home}", "Tasks.csv": "Name\nWrite\n" });
    const { status, error } = await imported(client, archive);
    assert.deepEqual([status, error?.code], ["failed", "invalid_archive"]);
    for (const known of ["Markdown & CSV", "Obsidian", "Confluence", "HTML files", "Word"])
      assert.ok(error.message.includes(known), known);
  });

  test("IMP13 a Confluence space: the tree of pages, boxes, tasks, files and links", async () => {
    const { client } = await world.person();
    const page = (title: string, body: string) =>
      `<!DOCTYPE html><html><head><title>Team : ${title}</title></head><body><div id="breadcrumb-section">Team</div><div id="main-content" class="wiki-content group">${body}</div><div id="footer">Atlassian</div></body></html>`;
    const job = await imported(
      client,
      await zipOf({
        "TEAM/index.html": `<html><head><title>Team (TEAM)</title></head><body><table><tr><th>Key</th><td>TEAM</td></tr><tr><th>Name</th><td>Team</td></tr></table><ul><li><a href="Home_1.html">Home &amp; more</a><ul><li><a href="Child_2.html">Child</a></li></ul></li></ul></body></html>`,
        "TEAM/Home_1.html": page(
          "Home &amp; more",
          `<h1 id="x">Hello&nbsp;you</h1><p>See <a href="Child_2.html">child</a>, <a href="attachments/1/9.pdf">plan</a>, <a href="https://example.org">web</a>.</p><p><img class="confluence-embedded-image" src="attachments/1/8.png" alt="dot"></p><div class="confluence-information-macro confluence-information-macro-warning"><div class="confluence-information-macro-body"><p>Hot.</p></div></div><iframe src="https://video.example"></iframe>`,
        ),
        "TEAM/Child_2.html": page(
          "Child",
          `<ul class="inline-task-list"><li class="checked"><span>done</span></li></ul>`,
        ),
        "TEAM/attachments/1/8.png": PNG,
        "TEAM/attachments/1/9.pdf": "%PDF-1.4\n",
        "TEAM/styles/site.css": "p {}",
      }),
    );
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    assert.deepEqual([job.format, job.documents, job.folders, job.attachments], ["confluence", 2, 1, 2]);
    assert.deepEqual([job.links_resolved, job.links_unresolved], [2, 0]);
    assert.deepEqual(job.warnings, ["TEAM/Home_1.html: read for its text alone: 1 iframe."]);
    const { tree, texts } = await pictureOf(client, job.knowledge_base_id);
    assert.deepEqual(tree, ["Home & more/", "Home & more/Child", "Home & more"]);
    assert.equal((await client.get(`/knowledge-bases/${job.knowledge_base_id}`)).data.name, "Team");
    assert.match(texts.get("Home & more") ?? "", /^# Hello\u00a0you\n/);
    assert.match(texts.get("Home & more") ?? "", /> \[!WARNING\]\n> Hot\./);
    assert.equal(links(texts.get("Home & more")).length, 3);
    assert.equal(texts.get("Child"), "- [x] done\n");
  });

  test("IMP13 a Word file that Pandoc made: headings, marks, lists, table, code, picture, footnote", async () => {
    const { client } = await world.person();
    const sent = assertStatus(await sendArchive(client, sample("pandoc.docx"), undefined, "Field report.docx"), 202);
    const job = await jobEnded(client, "import-jobs", sent.data.id);
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    assert.deepEqual([job.format, job.documents, job.attachments], ["word", 1, 1]);
    const { texts } = await pictureOf(client, job.knowledge_base_id);
    const text = texts.get("Field report") ?? "";
    const parts = [
      "## Things",
      "**bold**, *italic*, ~~struck~~ and `code`",
      "[link](https://example.org/a)",
      "- one\n- two",
    ];
    for (const part of [...parts, "1. inner", "> Quoted words.", "| Ulm | 128928 |", "let answer = 42;"])
      assert.ok(text.includes(part), `${part}\n${text}`);
    assert.match(text, /a note\.\[\^(\d+)\][\s\S]*\[\^\1\]: At sea level\./);
    assert.deepEqual(job.warnings, []);
    assert.match(text, /!\[A dot\]\(\/api\/v1\/attachments\/att_\w+\)/);
  });

  test("IMP16 a Word file that Pandoc made with formulas, tasks and letters of other scripts", async () => {
    const { client } = await world.person();
    const sent = assertStatus(await sendArchive(client, sample("pandoc-survey.docx"), undefined, "a.docx"), 202);
    const job = await jobEnded(client, "import-jobs", sent.data.id);
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    assert.deepEqual(job.warnings, []);
    const { texts } = await pictureOf(client, job.knowledge_base_id);
    const text = texts.get("Survey of rivers") ?? "";
    for (const part of [
      "Inline $a^{2}+b^{2}$ and\n",
      "$$\nE=mc^{2}\n$$",
      "- [x] done\n- [ ] open",
      "**H<sub>2</sub>O** and x<sup>2</sup>",
      "1. first\n   1. inner one",
      "2. second\n\n   with a paragraph\n\n- bullet",
      "Caption here\n\n| Left | Right |\n| --- | ---: |\n| a | 1 |",
      "line two.[^21]\n\n---\n\n",
      "مرحبا\n\n日本語のテキスト 🎉",
    ])
      assert.ok(text.includes(part), `${part}\n${text}`);
  });

  test("IMP16 a Word file: sides of headings and items, rules in and between texts, quotes in quotes", async () => {
    const { client } = await world.person();
    const sent = assertStatus(await sendArchive(client, await zipOf(layoutFile()), undefined, "Layout.docx"), 202);
    const job = await jobEnded(client, "import-jobs", sent.data.id);
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    assert.deepEqual(job.warnings, []);
    const { texts } = await pictureOf(client, job.knowledge_base_id);
    assert.equal(
      [...texts.values()][0],
      `<h1 align="center">Middle</h1>

**before**

---

after

---

> outer
>
> > inner
> >
> > > innermost
>
> outer again

- <p align="right">item</p>

- plain

boxed
`,
    );
  });

  test("IMP11 an Obsidian vault with a Word file in it: links by name, embedded files, properties", async () => {
    const { client } = await world.person();
    const job = await imported(
      client,
      await zipOf({
        "Vault/.obsidian/app.json": "{}",
        "Vault/Start.md": "---\ntags: [a]\n---\n[[Other#Part|there]], ![[dot.png]], [[plan.pdf]], [[Missing]]\n",
        "Vault/Notes/Other.md": "## Part\n\n[back](../Start.md)\n",
        "Vault/Files/dot.png": PNG,
        "Vault/Files/plan.pdf": "%PDF-1.4\n",
        "Vault/Report.docx": sample("pandoc.docx"),
      }),
    );
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    assert.deepEqual([job.format, job.documents, job.attachments], ["obsidian", 3, 3]);
    assert.deepEqual([job.links_resolved, job.links_unresolved], [3, 1]);
    const { tree } = await pictureOf(client, job.knowledge_base_id);
    assert.deepEqual(
      tree,
      ["Notes/", "Notes/Other", "Report", "Start"].map((name) => name.replace("Report", "Field report")),
    );
  });

  test("IMP15 what a vault says by other names and block references leads there, and its text stays as it was written", async () => {
    const { client } = await world.person();
    const start =
      "Start\n=====\n\n* see [[The Alias]], [[Deep#^point|this]] and [[Deep#^none]]\n* ![dot](Files/my%20dot.png) [deep](./Notes/Deep.md#a--b)\n\n> [!faq]- Folded\n> ==Marked== text, #tag %%hidden%%\n";
    const deep = "---\naliases: [The Alias, Other]\n---\n## A & B\n\n1) Some words\n2) with a name ^point\n";
    const job = await imported(
      client,
      await zipOf({
        "Vault/.obsidian/app.json": "{}",
        "Vault/Start.md": start,
        "Vault/Notes/Deep.md": deep,
        "Vault/Files/my dot.png": PNG,
      }),
    );
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    assert.deepEqual([job.links_resolved, job.links_unresolved], [4, 0]);
    assert.deepEqual(
      job.warnings.map((warning: string) => warning.slice(warning.indexOf("the link"))),
      ["the link to [[Deep#^none]] leads nowhere, there is no such heading or block."],
    );
    const { texts } = await pictureOf(client, job.knowledge_base_id);
    const [heading, point] = [/\(svc:\S+?#block=(\w+)\)/.exec(texts.get("Start") ?? "")?.[1], "with a name ^point"];
    assert.equal(texts.get("Deep"), deep.slice(deep.indexOf("##")));
    const said = (texts.get("Start") ?? "").replace(/\/api\/v1\/attachments\/att_\w+/, "Files/my%20dot.png");
    assert.equal(said.replace(/svc:\/\/doc\/\w+#block=\w+/, "./Notes/Deep.md#a--b"), start);
    const { data } = await client.get(`/documents?knowledge_base_id=${job.knowledge_base_id}`);
    const [from, to] = ["Start", "Deep"].map((title) => data.find((one: Loose) => one.title === title));
    const { data: relations } = await client.get(`/documents/${from.id}/relations?direction=outgoing`);
    const blocks = relations.map(({ target_uri }: Loose) => /#block=(\w+)/.exec(target_uri)?.[1]);
    const read = await Promise.all(
      blocks.filter(Boolean).map((id: string) => client.get(`/documents/${to.id}/blocks/${id}`)),
    );
    assert.deepEqual(read.map((one) => one.data.text).sort(), ["A & B", point]);
    assert.ok(blocks.includes(heading));
  });

  test("IMP14 hostile archives of other programs are refused with a reason", async () => {
    const { client } = await world.person();
    const word = (xml: string) => ({
      "[Content_Types].xml":
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
      "_rels/.rels":
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      "word/document.xml": xml,
    });
    const laughs = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><w:document>&b;</w:document>';
    const deep = `${"<w:p>".repeat(100_000)}${"</w:p>".repeat(100_000)}`;
    const bomb = await zipOf({ "a.bin": new Uint8Array(40_000_000) });
    const cases: [string, Uint8Array, string][] = [
      ["entities in a Word file", await zipOf(word(laughs)), "unsafe_archive"],
      ["deep XML in a Word file", await zipOf(word(deep)), "invalid_archive"],
      ["no XML in a Word file", await zipOf(word("hello")), "invalid_archive"],
      ["a bomb in an archive", await zipOf({ "part.zip": bomb }), "unsafe_archive"],
      ["a Word file that is none", await zipOf({ "a.docx": "hello" }), "invalid_archive"],
    ];
    for (const [what, archive, code] of cases) {
      const job = await imported(client, archive);
      assert.deepEqual([job.status, job.error?.code], ["failed", code], `${what}: ${JSON.stringify(job)}`);
    }
    const yaml = `---\n${Array.from({ length: 20 }, (_, n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(n ? 9 : 0)}1]`).join("\n")}\n---\ntext\n`;
    const kept = await imported(client, await zipOf({ "a.md": yaml }));
    assert.equal(kept.status, "succeeded");
    assert.match(kept.warnings[0], /front matter is kept as text/);
  });
});
