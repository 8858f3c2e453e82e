import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { png } from "../../server/test/support/attachments.ts";
import { makeDocument, upload } from "../../server/test/support/fixtures.ts";
import { pdfOf } from "../../server/test/support/office-files.ts";
import { until } from "../../server/test/support/until.ts";
import { onEachDatabase, type Person } from "../../server/test/support/world.ts";
import { Agent, valueIn } from "./support/agent.ts";

async function pageWith(person: Person, files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const { id } = await makeDocument(person.client, { title: "Report", text: "Begin.\n" });
  for (const [name, content] of Object.entries(files)) await upload(person.client, id, Buffer.from(content), name);
  return id;
}

onEachDatabase("MCP files of a document", (world) => {
  test("MCP37 the files of a document are listed with what shows them, in parts where there are many", async () => {
    const person = await world.person();
    const agent = await Agent.connect(world.url, person.token);
    await pageWith(person, { "chart.png": png, "rows.csv": "a,b\n" });
    const { text } = await agent.ok("read_document", { document_id: "Report", view: "files" });
    assert.match(
      text,
      /^\*\*Report\*\*: 2 files\n- !\[chart\.png\]\(\S+\) image\/png, \d+ bytes, 37 × 21 pixels, not shown$/m,
    );
    const markdown = /- (\[rows\.csv\].*\)) 4 bytes/.exec(text)?.[1];
    await agent.ok("edit_markdown", { document_id: "Report", new: markdown });
    assert.match(
      (await agent.ok("read_document", { document_id: "Report", view: "files" })).text,
      /4 bytes, shown 1 time$/m,
    );
    const many = await makeDocument(person.client, { title: "Many" });
    for (let n = 0; n < 5; n++) await upload(person.client, many.id, Buffer.from("x"), `file-${n}.txt`);
    const seen: string[] = [];
    for (let from: string | undefined, rounds = 0; rounds === 0 || from; rounds++) {
      const args = { document_id: "Many", view: "files", max_tokens: 160, ...(from && { from }) };
      const answer = await agent.raw("read_document", args);
      assert.ok(encode(answer.text).length <= 168, answer.text);
      seen.push(...answer.text.matchAll(/file-\d/g).map(([name]) => name));
      from = answer.text.includes("There is more") ? valueIn(answer.text, "from") : undefined;
    }
    assert.deepEqual([...new Set(seen)], ["file-0", "file-1", "file-2", "file-3", "file-4"]);
    const empty = await makeDocument(person.client, { title: "Empty" });
    assert.equal(
      (await agent.ok("read_document", { document_id: empty.id, view: "files" })).text,
      "**Empty** has no files.",
    );
  });

  test("MCP37 a file is read by its name: text in parts that join to the whole, a picture as a picture", async () => {
    const person = await world.person();
    const agent = await Agent.connect(world.url, person.token);
    const rows = Array.from({ length: 300 }, (_, n) => `${n},Größe ${n},€${n}\n`).join("");
    await pageWith(person, {
      "rows.csv": rows,
      "chart.png": png,
      "a.zip": Buffer.from([0x50, 0x4b, 3, 4, 0, 255]),
      "no.txt": "",
    });
    let whole = "";
    for (let from: string | undefined, rounds = 0; rounds === 0 || from; rounds++) {
      const args = { document_id: "Report", file: "rows.csv", max_tokens: 700, ...(from && { from }) };
      const { text } = await agent.ok("read_document", args);
      const [, head, part, next] =
        /^(.*)\n\n([\s\S]*?)(?:\n\nThere is more: go on with from: (\d+))?$/.exec(text) ?? [];
      assert.match(head ?? "", /^\*\*rows\.csv\*\*/);
      whole += part;
      from = next;
    }
    assert.equal(whole, rows);
    const read = (file: string) =>
      agent.client.callTool({ name: "read_document", arguments: { document_id: "Report", file } });
    const { content } = await read("chart.png");
    assert.deepEqual(content[1], { type: "image", data: png.toString("base64"), mimeType: "image/png" });
    await until("the archive has been looked at", async () => {
      const { text } = await agent.ok("read_document", { document_id: "Report", file: "a.zip" });
      return /It is no text.*\/api\/v1\/attachments\/att_/s.test(text);
    });
    assert.match((await agent.ok("read_document", { document_id: "Report", attachment: "no.txt" })).text, /0 bytes/);
    const missing = await agent.refused("not_found", "read_document", { document_id: "Report", file: "row.csv" });
    assert.match(missing, /rows\.csv \(att_\w+\)/);
  });

  test("MCP37 a PDF is found and read page by page", async () => {
    const person = await world.person();
    const agent = await Agent.connect(world.url, person.token);
    const pages = Array.from({ length: 40 }, (_, i) => [`Chapter ${i + 1} about walrus number ${i + 1}`]);
    await pageWith(person, { "book.pdf": pdfOf(pages) });
    const read = (more: object = {}) => agent.ok("read_document", { document_id: "Report", file: "book.pdf", ...more });
    await until("its text has been read", async () => !(await read()).text.includes("still being read"));
    const { text } = await read({ max_tokens: 300 });
    assert.match(text, /\[page 1 of 40\]\nChapter 1 about walrus number 1\n/);
    const next = valueIn(text, "from");
    assert.match((await read({ max_tokens: 300, from: next })).text, new RegExp(`\\[page ${next} of 40\\]`));
    const found = (await agent.ok("search", { query: "walrus 40 chapter" })).text;
    assert.match(found, /Report \(\w{8}, file \w{8} book\.pdf, page 40\)/);
    const id = /file (\w{8}) book/.exec(found)?.[1];
    assert.match((await read({ file: id, from: "40" })).text, /\[page 40 of 40\]/);
  });

  test("MCP37 what the text shows is deleted by force only, and the refusal says so", async () => {
    const person = await world.person();
    const agent = await Agent.connect(world.url, person.token);
    const id = await pageWith(person, { "a.txt": "a" });
    const [file] = (await person.client.get(`/documents/${id}/attachments`)).data;
    await agent.ok("edit_markdown", { document_id: id, new: file.markdown });
    const call = { action: "delete_file", document_id: "Report", file: "a.txt" };
    assert.match(await agent.refused("attachment_referenced", "organize", call), /Next: .*force true/);
    await agent.refused("invalid_arguments", "organize", { action: "delete_file", file: "a.txt" });
    const { text } = await agent.ok("organize", { action: "delete_file", file: file.markdown, force: true });
    assert.match(text, /^Deleted the file \*\*a\.txt\*\* of \*\*Report\*\*, and took it out of the text\./);
    await agent.refused("not_found", "organize", { action: "delete_file", file: file.id });
  });

  test("MCP37 files need the rights that they need over HTTP", async () => {
    const owner = await world.person();
    const id = await pageWith(owner, { "a.txt": "a" });
    const [file] = (await owner.client.get(`/documents/${id}/attachments`)).data;
    const as = async (given: object) => {
      const { token } = await world.person({ workspace: owner.workspaceId, ...given });
      return Agent.connect(world.url, token);
    };
    const noFiles = await as({ scopes: ["documents:read", "documents:write"] });
    await noFiles.refused("insufficient_scope", "read_document", { document_id: id, view: "files" });
    await noFiles.refused("insufficient_scope", "organize", { action: "delete_file", file: file.id });
    const reader = await as({ access: "read_only" });
    assert.match((await reader.ok("read_document", { document_id: id, file: "a.txt" })).text, /\n\na$/);
    await reader.refused("insufficient_scope", "organize", { action: "delete_file", file: file.id });
    const stranger = await Agent.connect(world.url, (await world.person()).token);
    await stranger.refused("not_found", "organize", { action: "delete_file", file: file.id });
    assert.equal((await owner.client.get(`/documents/${id}/attachments`)).data.length, 1);
  });
});
