import assert from "node:assert/strict";
import { before, test } from "node:test";
import { makeDocument, makeFolder } from "../../server/test/support/fixtures.ts";
import { onEachDatabase, type Person } from "../../server/test/support/world.ts";
import { Agent } from "./support/agent.ts";

const TEXT =
  "# Intro\n\nThe installer runs once.\n\n- fast\n- slow\n\n# Usage\n\n- fast\n\n| key | value |\n| --- | --- |\n| a | 1 |\n";

type Args = Record<string, unknown>;
/**
 * A call as a weak model makes it, and where it does not work at once, the one that its answer leads to: made from
 * what the model asked for and what the answer says, and from nothing else.
 */
type Wrong = readonly [tool: string, args: Args, next?: (text: string, args: Args) => Args];

/** Text that a correct answer of each tool contains, in the scene below. */
const RIGHT: Readonly<Record<string, RegExp>> = {
  search: /The installer (?:runs|ran) (?:once|twice)/,
  browse: /Hello world/,
  read_document: /^\*\*(?:Hello world|Twin)\*\*/,
  get_history: /is at version/,
  get_changes: /changed since|begins now/,
  edit_markdown: /^Edited \*\*(?:Hello world|Many)\*\*, \d+ places?/,
  edit_blocks: /^Done: \d+ blocks? of \*\*Twin\*\*/,
  write_document: /^(?:Done|Nothing changed)/,
  create_document: /^Created document/,
  organize: /^Created the folder|is Handbook|Restored/,
  change_relations: /supports/,
  change_concepts: /^(?:Created|Changed|Related) \*\*/,
  comment: /^Said/,
};

const matchIn = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? "";
const without = (args: Args, ...names: readonly string[]): Args =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
/** Without what the answer calls unknown. */
const dropped = (text: string, args: Args): Args =>
  without(args, ...[...matchIn(text, /Unrecognized keys?: (.*)/).matchAll(/"(\w+)"/g)].map(([, name]) => name ?? ""));
/** Without its cursor, where the answer says so. */
const afresh = (text: string, args: Args): Args =>
  /^Next: .*without a cursor/m.test(text) ? without(args, "cursor") : args;

onEachDatabase("MCP wrong calls", (world) => {
  let person: Person;
  let agent: Agent;
  let id = "";
  let base = 0;
  let folder = 0;
  let version = "";
  let block = "";
  before(async () => {
    person = await world.person();
    agent = await Agent.connect(world.url, person.token);
    const made = await makeFolder(person.client, { name: "Guides" });
    [base, folder] = [made.knowledge_base_id, made.id];
    const place = { knowledge_base_id: base, folder_id: folder };
    const document = await makeDocument(person.client, { title: "Hello world", text: TEXT, ...place });
    [id, version] = [document.id, document.version];
    block = (await person.client.get(`/documents/${id}/blocks`)).data[1].id;
    await makeDocument(person.client, { title: "Many", text: "same line\n\n".repeat(34), ...place });
    await makeDocument(person.client, { title: "Twin", text: "One.", ...place });
    await makeDocument(person.client, { title: "Twin", text: "Two.", knowledge_base_id: base });
  });

  const heading = "Intro";
  const inBrackets = (text: string): string => /\((\w{8})\)/.exec(text)?.[1] ?? "";
  /** Made when the ids are known. */
  const calls = (): Record<string, Wrong> => ({
    "a title as id": ["read_document", { document_id: "Hello world" }],
    "a title in other case": ["read_document", { document_id: "hello WORLD" }],
    "a path as id": ["read_document", { document_id: "Handbook/Guides/Hello world" }],
    "a path with blanks": ["read_document", { document_id: "Handbook / Guides / Hello world" }],
    "a file name": ["read_document", { document_id: "Guides/Hello world.md" }],
    "an address": ["read_document", { document_id: `svc://doc/${id}` }],
    "a web address": ["read_document", { document_id: `${world.url}/documents/${id}` }],
    "a short id": ["read_document", { document_id: id.slice(-8) }],
    "document for document_id": ["read_document", { document: id }],
    "id for document_id": ["read_document", { id }],
    "doc_id for document_id": ["read_document", { doc_id: "Hello world" }],
    "a title that is nearly right": [
      "read_document",
      { document_id: "Hello worlds" },
      (text) => ({ document_id: inBrackets(text) }),
    ],
    "a title that two have": ["read_document", { document_id: "Twin" }, (text) => ({ document_id: inBrackets(text) })],
    "a list of one document": ["read_document", { document_ids: [id] }],
    "a cursor that is a date": ["read_document", { document_id: id, cursor: "2026-01-01" }, afresh],
    "a cursor of nothing in a search": ["search", { query: "installer", cursor: "next" }, afresh],
    "a cursor that is a date in a list": ["browse", { recent: true, cursor: "2026-01-01" }, afresh],
    "a state that is not kept": [
      "get_history",
      { document_id: id, seq: "99" },
      (text, args) => (/without seq/.test(text) ? without(args, "seq") : args),
    ],
    "a number as text": ["search", { query: "installer", limit: "3" }],
    "a base id as text": ["search", { query: "installer", knowledge_base_id: String(base) }],
    "a base by name": ["search", { query: "installer", knowledge_base_id: "Handbook" }],
    "a folder by path": ["search", { query: "installer", folder_id: "Handbook/Guides" }],
    "folder for in": ["search", { query: "installer", folder: "Handbook/Guides" }],
    "q for query": ["search", { q: "installer" }],
    "a question": ["search", { query: "When does the installer run?" }],
    "a plural": ["search", { query: "installers" }],
    "a word too many": ["search", { query: "installer nightly" }],
    "null for what is left out": ["search", { query: "installer", cursor: null, document_id: null }],
    "a wrapper too many": ["search", { arguments: { query: "installer" } }],
    "a heading with signs": ["read_document", { document_id: id, section: `## ${heading}` }],
    "a heading in other case": ["read_document", { document_id: id, section: "INTRO" }],
    "a heading for a block id": ["read_document", { document_id: id, section_block_id: heading }],
    "heading for section": ["read_document", { document_id: id, heading }],
    "a heading that is not there": [
      "read_document",
      { document_id: id, section: "Nope" },
      (text, args) => ({ ...args, section: inBrackets(text) }),
    ],
    "tokens for max_tokens": ["read_document", { document_id: id, tokens: "500" }],
    "a truth value as text": ["read_document", { document_id: id, anchors: "true" }],
    "an edit with another word for old": [
      "edit_markdown",
      { document_id: id, old_string: "runs once", new_string: "runs twice" },
    ],
    "an edit by title": ["edit_markdown", { document: "Hello world", old: "runs twice", new: "runs once" }],
    "a text that occurs twice": [
      "edit_markdown",
      { document_id: id, old: "- fast", new: "- quick" },
      (text, args) => ({ ...args, occurrence: matchIn(text, /"occurrence":(\d+)/) }),
    ],
    "a text with other blanks": ["edit_markdown", { document_id: id, old: "|a|1|", new: "| a | 2 |" }],
    "a text that is not there": [
      "edit_markdown",
      { document_id: id, old: "The installer ran once.", new: "The installer ran once." },
      (text, args) => ({ ...args, old: matchIn(text, /"text":"([^"]+)"/) }),
    ],
    "edits as text": [
      "edit_markdown",
      { document_id: id, edits: JSON.stringify([{ old: "ran once", new: "runs once" }]) },
    ],
    "one edit instead of a list": ["edit_markdown", { document_id: id, edits: { old: "runs once", new: "ran once" } }],
    "an old version of a block that changed": [
      "write_document",
      { document_id: id, base_version: version, markdown: TEXT.replace("once", "thrice") },
      (text, args) => ({ ...args, base_version: matchIn(text, /"current_version":"([0-9a-f]{8})"/) }),
    ],
    "an old version of other blocks": [
      "write_document",
      { document_id: id, base_version: version, markdown: `${TEXT}\nMore.\n` },
    ],
    "the version latest": ["write_document", { document_id: id, base_version: "latest", markdown: TEXT }],
    "content for markdown": ["create_document", { title: "Made", folder: "Handbook/Guides", content: "Text." }],
    "organize with its old wrapper": [
      "organize",
      { change: { action: "create_folder", name: "Inner", knowledge_base_id: base } },
    ],
    "organize by path": ["organize", { action: "change_document", document_id: "Made", in: "Handbook" }],
    "title for name": ["organize", { action: "change_document", document_id: "Made", title: "Renamed" }],
    "a date for a cursor": ["get_changes", { after: "2026-01-01" }],
    "a day in words": ["get_changes", { since: "yesterday" }],
    "an anchor comment as a block id": ["read_document", { document_id: id, section: `<!--@${block.slice(-8)}-->` }],
    "a whole anchor comment": ["read_document", { document_id: id, around_block_id: `<!--@block=${block}-->` }],
    "a limit that is too large": [
      "search",
      { query: "installer", limit: 1000 },
      (text, args) => ({ ...args, limit: Number(matchIn(text, /limit: .*<=(\d+)/)) }),
    ],
    "an argument that is not known": ["search", { query: "installer", fuzzy: true }, dropped],
    "a plural for an argument": ["search", { queries: ["installer"] }],
    "a missing argument": ["search", {}, (text) => ({ [matchIn(text, /^- (\w+): .*expected/m)]: "installer" })],
    "a typing error in a word": ["search", { query: "instaler" }],
    "a typing error beside a right word": ["search", { query: "instaler runs" }],
    "a text that occurs many times": [
      "edit_markdown",
      { document_id: "Many", old: "same line", new: "other line" },
      (text, args) => ({ ...args, occurrence: matchIn(text, /"occurrence":(\d+)/) }),
    ],
    "an anchor of another page": [
      "write_document",
      { document_id: "Many", base_version: "latest", markdown: `<!--@block=${block}-->\nText.` },
      (text, args) => ({
        ...args,
        markdown: String(args.markdown).replace(new RegExp(`<!--.*${matchIn(text, /"block_id":"(\w+)"/)}-->\n`), ""),
      }),
    ],
    "a position in a wrapper": [
      "edit_blocks",
      {
        document_id: "Twin ",
        base_version: "latest",
        operations: [{ op: "insert", position: { document_end: true }, markdown: "More." }],
      },
      (text, args) => ({ ...args, document_id: inBrackets(text) }),
    ],
    "a place beside the operation": [
      "edit_blocks",
      {
        document_id: "Guides/Twin",
        base_version: "latest",
        operations: [{ op: "insert", document_end: "true", markdown: "More.", block_id: null }],
      },
    ],
    "a relation without its wrapper": [
      "change_relations",
      {
        action: "add",
        source_document_id: id,
        source_block_id: heading,
        predicate: "supports",
        target_uri: `svc://doc/${id}`,
      },
    ],
    "a base that is not there": [
      "create_document",
      { title: "Placed", in: "Nowhere" },
      (text, args) => ({ ...args, in: matchIn(text, /^- (.+)$/m) }),
    ],
    "a folder below another, by its name alone": ["browse", { in: "Guides" }],
    "a folder's web address": ["browse", { in: `${world.url}/folders/${folder}` }],
    "a list that is one text": [
      "change_concepts",
      { action: "create", knowledge_base_id: base, name: "Retry", aliases: "Repeat" },
    ],
    "a concept by its other name, and its version in words": [
      "change_concepts",
      { action: "change", concept_id: "repeat", version: "latest", description: "Once more." },
    ],
    "a concept that is nearly right": [
      "change_concepts",
      { action: "change", concept_id: "Retri", version: "latest", description: "Again." },
      (text, args) => ({ ...args, concept_id: matchIn(text, /\((\w{8})\)/) }),
    ],
    "a change without its action": [
      "change_concepts",
      { knowledge_base_id: base, name: "Second" },
      (text, args) => ({ ...args, action: matchIn(text, /action: .*?["'](\w+)["']/) }),
    ],
    "a quote without its block": ["comment", { document_id: id, text: "Why?", quote: "installer" }],
    "a quote that stands in several blocks": [
      "comment",
      { document_id: id, text: "Why?", quote: "fast" },
      (text, args) => ({ ...args, block_id: matchIn(text, /^- (\w{8}): /m) }),
    ],
  });

  test("MCP65 wrong calls end right within one more call", async () => {
    const all = Object.entries(calls());
    assert.ok(all.length >= 45);
    for (const [name, [tool, args, next]] of all) {
      const first = await agent.tool(tool, args);
      assert.equal(first.isError, next !== undefined, `${name}: ${first.text}`);
      if (next) assert.match(first.text, /^Next: ./m, name);
      const last = next ? await agent.tool(tool, next(first.text, args)) : first;
      assert.equal(last.isError, false, `${name}: ${last.text} after ${first.text}`);
      assert.match(last.text, RIGHT[tool] ?? /^$/, name);
    }
  });
});
