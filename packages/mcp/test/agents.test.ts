import assert from "node:assert/strict";
import { before, test } from "node:test";
import { makeDocument, makeFolder } from "../../server/test/support/fixtures.ts";
import { onEachDatabase, type Person } from "../../server/test/support/world.ts";
import { Agent, idIn, valueIn } from "./support/agent.ts";

const TEXT = "# Limits\n\nThe limit is 40 MB.\n\n- one\n- two\n\n# Notes\n\n- one\n";

onEachDatabase("MCP for agents", (world) => {
  let person: Person;
  let agent: Agent;
  let base: number;
  let folder: number;
  before(async () => {
    person = await world.person();
    agent = await Agent.connect(world.url, person.token, {}, "");
    const made = await makeFolder(person.client, { name: "Guides" });
    [base, folder] = [made.knowledge_base_id, made.id];
  });
  const make = async (title: string, text = TEXT) =>
    String((await makeDocument(person.client, { title, text, knowledge_base_id: base, folder_id: folder })).id);
  const markdownOf = async (id: string): Promise<string> =>
    (await person.client.get(`/documents/${id}/content?format=markdown`)).text;

  test("MCP60 edit_markdown needs neither id nor version, adds a bullet, and is undone by one call", async () => {
    const id = await make("Edited");
    const edited = await agent.ok("edit_markdown", { document_id: "Edited", old: "40 MB", new: "**50** MB" });
    assert.match(edited.text, /^Edited \*\*Edited\*\*, 1 place\. version: [0-9a-f]{8}$/);
    await agent.ok("edit_markdown", { document_id: id, section: "Limits", new: "- three" });
    assert.equal(
      await markdownOf(id),
      "# Limits\n\nThe limit is **50** MB.\n\n- one\n- two\n- three\n\n# Notes\n\n- one\n",
    );
    assert.match((await agent.ok("roll_back", { document_id: id })).text, /\*\*Edited\*\*/);
    assert.doesNotMatch(await markdownOf(id), /three/);
    const edits = [
      { old: "40", new: "41" },
      { old: "- one", new: "- 1", occurrence: "all" },
    ];
    await agent.ok("edit_markdown", { document_id: id, edits: [{ old: "**50**", new: "40" }, ...edits] });
    assert.equal((await person.client.get(`/documents/${id}/versions`)).data.length, 4);
    const places = await agent.refused("text_ambiguous", "edit_markdown", { document_id: id, old: "- 1", new: "x" });
    assert.match(places, /"occurrence":2/);
    const near = await agent.refused("text_not_found", "edit_markdown", {
      document_id: id,
      old: "limit was 41",
      new: "x",
    });
    assert.match(near, /The limit is 41 MB\./);
  });

  test("MCP61 two agents on one page: blocks that the other did not touch are merged, others shown with both sides", async () => {
    const id = await make("Shared");
    const base_version = valueIn((await agent.ok("read_document", { document_id: id })).text, "version");
    await agent.ok("edit_markdown", { document_id: id, base_version, old: "40", new: "60" });
    await agent.ok("edit_markdown", { document_id: id, base_version, old: "- two", new: "- 2" });
    assert.match(await markdownOf(id), /60 MB[\s\S]*- 2/);
    const both = await agent.refused("version_conflict", "edit_markdown", {
      document_id: id,
      base_version,
      old: "40",
      new: "70",
    });
    assert.match(both, /"theirs":"The limit is 60 MB\."[\s\S]*"mine":"The limit is 70 MB\."/);
  });

  test("MCP62 of two knowledge bases or folders of one name none is taken, and both are told", async () => {
    const base = async (name: string): Promise<number> =>
      (await person.client.post("/knowledge-bases", { name })).data.id;
    const [one, two] = [await base("Double"), await base("Double")];
    const folder = async (name: string): Promise<number> =>
      (await person.client.post("/folders", { name, knowledge_base_id: one })).data.id;
    const [first, second] = [await folder("Notes"), await folder("Notes")];
    const create = { title: "Where?", markdown: "Here." };
    const bases = await agent.refused("ambiguous_name", "create_document", { ...create, in: "Double" });
    for (const id of [one, two]) assert.ok(bases.includes(`Double (knowledge-bases/${id})`), bases);
    const folders = await agent.refused("ambiguous_name", "create_document", { ...create, in: "double/Notes" });
    for (const id of [first, second]) assert.ok(folders.includes(`Double / Notes (folders/${id})`), folders);
    for (const where of [`knowledge-bases/${two}`, `folders/${second}`, String(one)])
      await agent.ok("create_document", { ...create, title: where, in: where });
    await folder("notes");
    await folder("NOTES");
    await agent.ok("browse", { in: `${one}/NOTES` });
    assert.match(
      await agent.refused("invalid_arguments", "organize", { action: "delete_folder", folder_id: "Handbook" }),
      /Handbook is a knowledge base, not a folder/,
    );
  });

  test("MCP62 a folder that is not there is told with the call that makes it", async () => {
    await person.client.post("/knowledge-bases", { name: "Fresh" });
    const page = { title: "Deep", markdown: "Here.", in: "Fresh/Not yet" };
    const told = await agent.refused("not_found", "create_document", page);
    assert.match(told, /- Fresh\n[\s\S]*organize with action create_folder/);
    await agent.ok("organize", { action: "create_folder", name: "Not yet", in: "Fresh" });
    await agent.ok("create_document", page);
  });

  test("MCP62 a title, a path, an address or 8 characters stand for an id; several matches are told", async () => {
    const id = await make("Named page");
    const same = await make("Twin");
    await makeDocument(person.client, { title: "Twin" });
    const block: string = (await person.client.get(`/documents/${id}/blocks`)).data[1].id;
    for (const document_id of [
      id,
      id.slice(-8),
      "Named page",
      "named PAGE",
      "Handbook/Guides/Named page",
      "Handbook / Guides / Named page",
      "Guides/Named page.md",
      `svc://doc/${id}`,
      `${world.url}/documents/${id}`,
    ])
      assert.match((await agent.ok("read_document", { document_id })).text, /^\*\*Named page\*\*/, document_id);
    const section = await agent.ok("read_document", { document_id: `svc://doc/${id}#block=${block}`, max_tokens: 100 });
    assert.match(section.text, /The limit is 40 MB/);
    const several = await agent.refused("ambiguous_name", "read_document", { document_id: "Twin" });
    assert.ok(several.includes(`Guides / Twin (${same.slice(-8)})`), several);
    await agent.ok("read_document", { document_id: "Guides/Twin" });
    const none = await agent.refused("not_found", "read_document", { document_id: "Named pages" });
    assert.match(none, /Named page \(/);
    const other = await Agent.connect(world.url, (await world.person()).token);
    await other.refused("not_found", "read_document", { document_id: "Named page" });
    await other.refused("not_found", "read_document", { document_id: id.slice(-8) });
  });

  test("MCP62 a heading that is not there is told with those that are, or that there are none", async () => {
    const read = async (markdown: string) => {
      const { id } = await makeDocument(person.client, { text: markdown });
      return agent.refused("heading_not_found", "read_document", { document_id: id, section: "Absent" });
    };
    assert.match(await read("Text alone."), /the document has no headings\.\n.*view "blocks"/s);
    const many = Array.from({ length: 33 }, (_, n) => `# Part ${n}`).join("\n\n");
    assert.match(await read(many), /Its headings:\n- Part 0 \(.*- Part 29 \(\w{8}\)\n- and 3 more: .*view outline/s);
  });

  test("MCP63 one call tells what changed, one creates a page in a folder, one gives an overview", async () => {
    const id = await make("Watched");
    const start = Date.now();
    while (Date.now() <= start) await new Promise((resolve) => setImmediate(resolve));
    const since = new Date().toISOString();
    await agent.ok("edit_markdown", { document_id: id, old: "40", new: "80" });
    const changed = await agent.ok("get_changes", { since });
    assert.match(
      changed.text,
      /^1 block in 1 page changed since .*\n## .* \/ Watched \(.*\)\nLimits:\n~ .*\[-40-\]\{\+80\+\}/,
    );
    assert.match((await agent.ok("get_changes", { since: "2 months ago" })).text, /changed since/);
    await agent.refused("invalid_arguments", "get_changes", { since: "2026-13-40" });
    assert.match((await agent.ok("get_changes", { since: "last_visit" })).text, /begins now/);
    await agent.ok("edit_markdown", { document_id: id, old: "80", new: "90" });
    assert.match((await agent.ok("get_changes", { since: "last_visit" })).text, /\{\+90\+\}/);
    const made = await agent.ok("create_document", {
      title: "Placed",
      in: "Handbook/Guides",
      markdown: "First line.\n",
    });
    const placed = (await person.client.get(`/documents?q=Placed`)).data[0];
    const link = `[it](svc://doc/${idIn(made.text)})`;
    await agent.ok("edit_markdown", { document_id: "Placed", old: "First line.", new: `First line. See ${link}` });
    const { text: kept } = await person.client.get(`/documents/${placed.id}/content?format=markdown`);
    assert.ok(kept.includes(`[it](svc://doc/${placed.id})`), kept);
    await agent.ok("edit_markdown", { document_id: "Placed", old: ` See ${link}`, new: "" });
    assert.deepEqual([placed.folder_id, placed.id.slice(-8)], [folder, idIn(made.text)]);
    const overview = await agent.ok("browse", { in: "Handbook/Guides", summaries: true });
    assert.match(overview.text, /- Placed \(\w{8}\): First line\.$/m);
    assert.match(
      (await agent.ok("browse", { in: `knowledge-bases/${base}`, depth: 1 })).text,
      /- Guides\/ \(\d+ pages\)$/,
    );
  });

  test("MCP64 a section moves by names, and a deletion says by title what went and how to undo it", async () => {
    const [from, to] = [await make("From"), await make("To", "# First\n\na\n\n# Second\n\nb\n")];
    const moved = await agent.ok("move_section", {
      document_id: "From",
      section: "## notes",
      target_document_id: "To",
      after: "First",
    });
    assert.match(moved.text, /^Moved 2 blocks from \*\*From\*\* to \*\*To\*\*; 0 links changed\./);
    assert.equal(await markdownOf(to), "# First\n\na\n\n# Notes\n\n- one\n\n# Second\n\nb\n");
    const gone = await agent.ok("organize", { action: "delete_document", document_id: "From" });
    assert.match(gone.text, /^Deleted the document \*\*From\*\*/);
    await agent.ok("organize", { action: "restore", trash_id: valueIn(gone.text, "trash_id") });
    assert.match(await markdownOf(from), /Limits/);
  });
});
