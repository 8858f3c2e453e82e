import assert from "node:assert/strict";
import { before, test } from "node:test";
import { listBlocks } from "@svc/document/blocks/find";
import { defined } from "@svc/document/defined";
import { b, doc, li, link, p, quote, text, ul } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { getDocument } from "@svc/server/domain/library/documents/queries";
import { listLinks } from "@svc/server/views/relations/store";
import { rebuild } from "@svc/server/views/relations/update-links";
import fc from "fast-check";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase, type Person, type World } from "../../support/world.ts";

const targets = ["svc://doc/doc_a", "svc://doc/doc_a#block=block_x", "svc://concept/c", "https://other.example/"];

const line: fc.Arbitrary<Node[]> = fc.array(
  fc.oneof(
    fc.constantFrom("plain", " ", "x").map((value) => text(value)),
    fc
      .tuple(fc.constantFrom("one", "two", " three"), fc.constantFrom(...targets))
      .map(([value, href]) => text(value, link(href))),
    fc.constant(b("bold")),
    fc.constantFrom(...targets).map((href) => text("bold link", link(href), { type: "bold" })),
  ),
  { maxLength: 4 },
);
const paragraph = line.map((content) => p(...content));
const node: fc.Arbitrary<Node> = fc.oneof(
  { weight: 3, arbitrary: paragraph },
  fc.array(paragraph, { minLength: 1, maxLength: 3 }).map((items) => ul(...items.map((item) => li(item)))),
  fc.array(paragraph, { minLength: 1, maxLength: 2 }).map((items) => quote(...items)),
);

type Step = readonly [kind: string, n: number, m: number, nodes: Node[]];
const kinds = [
  ...["insert", "delete", "replace", "move", "into", "lift", "text"],
  ...["batch", "put", "shuffle", "rollback", "restore"],
];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(...kinds),
  fc.nat(50),
  fc.nat(50),
  fc.array(node, { minLength: 1, maxLength: 3 }),
);

/** One edit of a batch; an edit that does not fit is refused and changes nothing. */
function operation([kind, n, m, nodes]: Step, ids: readonly string[]): Loose {
  const at = (i: number) => ids[i % ids.length];
  if (kind === "delete") return { op: "delete", block_id: at(n) };
  if (kind === "replace") return { op: "replace", block_id: at(n), node: nodes[0] };
  if (kind === "move") return { op: "move", block_id: at(n), position: { before_block_id: at(m) } };
  if (kind === "into") return { op: "move", block_id: at(n), position: { parent_block_id: at(m) } };
  if (kind === "lift") return { op: "move", block_id: at(n), position: { document_end: true } };
  if (kind === "text") return { op: "replace_text", old: "one", new: "two two" };
  return { op: "insert", position: ids.length > 0 ? { after_block_id: at(n) } : { document_end: true }, nodes };
}

/** Applies a step over HTTP. */
async function apply({ client }: Person, id: string, [kind, n, m, nodes]: Step): Promise<void> {
  const { document, version } = (await client.get(`/documents/${id}/content`)).data;
  const ids = listBlocks(document, { recursive: true }).map((block) => block.id);
  if (kind === "put" || kind === "shuffle") {
    const content = kind === "put" ? [...nodes, ...document.content.slice(n % 3)] : document.content.toReversed();
    const body = { format: "tiptap-json", document: doc(...content) };
    return void assertStatus(await client.put(`/documents/${id}/content`, body, { ifMatch: version }), 200);
  }
  if (kind === "rollback") {
    const { data } = await client.get(`/documents/${id}/versions`);
    if (data.length === 0) return;
    const { seq } = data[n % data.length];
    const path = `/documents/${id}/versions/${seq}/rollback`;
    return void assertStatus(await client.post(path, undefined, { ifMatch: version }), 200);
  }
  if (kind === "restore") {
    await client.delete(`/documents/${id}`);
    const [entry] = (await client.get("/trash")).data;
    return void assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
  }
  const operations =
    kind === "batch"
      ? ["insert", "lift", "into"].map((one, i) => operation([one, n + i, m, nodes], ids))
      : [operation([kind, n, m, nodes], ids)];
  await client.post(`/documents/${id}/batch`, { base_version: version, operations });
}

interface PlainLink {
  readonly block: string;
  readonly top: string;
  readonly uri: string;
  readonly anchor: string;
}

/** The links of a body, found in the plainest way. */
function naiveLinks(nodes: readonly Loose[], block = "", top = ""): PlainLink[] {
  const found: PlainLink[] = [];
  let open: { href: string; anchor: string } | undefined;
  const close = () => {
    const anchor = open?.anchor.replace(/\s+/g, " ").trim();
    if (open?.href.startsWith("svc:")) found.push({ block, top, uri: open.href, anchor: defined(anchor) });
    open = undefined;
  };
  for (const item of nodes) {
    const href = item.marks?.find((mark: Loose) => mark.type === "link")?.attrs.href;
    if (open && open.href !== href) close();
    if (href) open = { href, anchor: (open?.anchor ?? "") + item.text };
    const id = item.attrs?.id;
    if (id) found.push(...naiveLinks(item.content ?? [], id, top || id));
  }
  close();
  return found;
}

const sorted = (links: readonly PlainLink[]) => links.map((link) => JSON.stringify(link)).sort();

onEachDatabase("the view of inline relations", (world: World) => {
  let person: Person;
  let kb: number;
  before(async () => {
    person = await world.person();
    kb = (await makeKnowledgeBase(person.client)).id;
  });

  const rowsOf = (id: string) => listLinks(world.app.services.database.read, person.workspaceId, id);
  const stored = async (id: string) =>
    (await rowsOf(id)).map((row) => ({
      block: row.source_block_id,
      top: row.top_block_id,
      uri: row.target_uri,
      anchor: row.anchor_text,
    }));
  const viewVersion = async (id: string) =>
    (
      await world.app.services.database.read
        .selectFrom("relation_views")
        .select("version")
        .where("document_id", "=", id)
        .executeTakeFirst()
    )?.version;

  /** The ids of links whose block, target and text are the only ones of their kind. */
  const idsOf = async (id: string) => {
    const groups = Map.groupBy(await rowsOf(id), (row) => `${row.source_block_id} ${row.target_uri}`);
    return new Map([...groups].filter(([, rows]) => rows.length === 1).map(([key, [row]]) => [key, defined(row).id]));
  };

  test("REL3 after any edits it is what the body says, what a rebuild gives, and gone with the document", async () => {
    const { database } = world.app.services;
    await fc.assert(
      fc.asyncProperty(
        fc.array(node, { minLength: 1, maxLength: 5 }),
        fc.array(step, { maxLength: 10 }),
        async (nodes, steps) => {
          const content = { format: "tiptap-json", document: doc(...nodes) };
          const { id } = await makeDocument(person.client, { knowledge_base_id: kb, content });
          for (const one of steps) {
            const before = await idsOf(id);
            await apply(person, id, one);
            const { document, version } = (await person.client.get(`/documents/${id}/content`)).data;
            assert.deepEqual(sorted(await stored(id)), sorted(naiveLinks(document.content)), one[0]);
            assert.equal(await viewVersion(id), version);
            const after = await idsOf(id);
            for (const [key, relation] of after) if (before.has(key)) assert.equal(relation, before.get(key), one[0]);
          }

          const row = await getDocument(database.read, person.workspaceId, id);
          const kept = await rowsOf(id);
          await database.transaction((tx) => rebuild(tx, row));
          assert.deepEqual(await rowsOf(id), kept);
          const incremental = sorted(await stored(id));
          await database.transaction(async (tx) => {
            await tx.deleteFrom("inline_relations").where("document_id", "=", id).execute();
            await tx.deleteFrom("relation_views").where("document_id", "=", id).execute();
            await rebuild(tx, row);
          });
          assert.deepEqual(sorted(await stored(id)), incremental);
          assert.equal(await viewVersion(id), row.version);

          await person.client.delete(`/documents/${id}`);
          assert.deepEqual(await stored(id), []);
          assert.equal(await viewVersion(id), undefined);
        },
      ),
      { seed: 20261115, numRuns: 12 },
    );
  });

  test("REL3 an edit of one block writes no row of another block's links", async () => {
    const linked = Array.from({ length: 300 }, (_, i) => p(text(`link ${i}`, link("svc://doc/doc_a"))));
    const content = { format: "tiptap-json", document: doc(...linked) };
    const { id } = await makeDocument(person.client, { knowledge_base_id: kb, content });
    const before = await rowsOf(id);
    const block = defined(before[150]).source_block_id;
    const path = `/documents/${id}/blocks/${block}`;
    assertStatus(await person.client.patch(path, { content: [text("new", link("svc://doc/doc_b"))] }), 200);
    const after = await rowsOf(id);
    assert.equal(after.length, 300);
    assert.deepEqual(after.slice(0, 299), before.toSpliced(150, 1));
    assert.equal(after[299]?.target_document_id, "doc_b");
  });

  test("REL5 a view that is at another version is made good also by edits that share a commit and leave links alone", async () => {
    const { database } = world.app.services;
    const nodes = [p(text("link", link("svc://doc/doc_a"))), p(text("one")), p(text("two")), p(text("three"))];
    const content = { format: "tiptap-json", document: doc(...nodes) };
    const { id } = await makeDocument(person.client, { knowledge_base_id: kb, content });
    await database.transaction(async (tx) => {
      await tx.deleteFrom("inline_relations").where("document_id", "=", id).execute();
      await tx.updateTable("relation_views").set({ version: "old" }).where("document_id", "=", id).execute();
    });
    const { data: blocks } = (await person.client.get(`/documents/${id}/blocks`)).body;
    const edits = blocks
      .slice(1)
      .map((block: Loose) =>
        person.client.patch(`/documents/${id}/blocks/${block.id}`, { content: [text(`new ${block.id}`)] }),
      );
    for (const answer of await Promise.all(edits)) assertStatus(answer, 200);
    assert.equal(await viewVersion(id), (await person.client.get(`/documents/${id}`)).data.version);
    assert.equal((await stored(id)).length, 1);
  });
});
