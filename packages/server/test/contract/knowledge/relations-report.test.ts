import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import type { DocumentRow } from "@svc/server/db/schema/tables/documents";
import type { InlineRelationRow } from "@svc/server/db/schema/tables/relations";
import { getDocument } from "@svc/server/domain/library/documents/queries";
import { newId } from "@svc/server/ids";
import { insertLinks } from "@svc/server/views/relations/store";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const DOCUMENTS = 1000;
/** Links of the document in the middle: more than one request looks at. */
const MANY = 2600;

onEachDatabase("the link report of a large knowledge base", (world) => {
  let person: Person;
  let kb: number;
  const documents: DocumentRow[] = [];
  const links: InlineRelationRow[] = [];

  before(async () => {
    person = await world.person();
    kb = (await makeKnowledgeBase(person.client)).id;
    const { id } = await makeDocument(person.client, { knowledge_base_id: kb, text: "First" });
    const { database } = world.app.services;
    const first = await getDocument(database.read, person.workspaceId, id);
    for (let i = 0; i < DOCUMENTS; i++) documents.push({ ...first, id: newId("doc"), title: `Document ${i}` });
    const link = (from: DocumentRow, to: string): void => {
      links.push({
        workspace_id: person.workspaceId,
        id: newId("rel"),
        document_id: from.id,
        source_block_id: "block_x",
        top_block_id: "block_x",
        target_uri: `svc://doc/${to}`,
        target_document_id: to,
        target_block_id: null,
        via: "",
        anchor_text: "link",
        created_by: person.userId,
        created_at: 1,
      });
    };
    documents.forEach((document, i) => {
      if (i % 3 === 0) link(document, "doc_none");
      if (i % 4 === 0) link(document, defined(documents[(i + 1) % DOCUMENTS]).id);
      if (i === DOCUMENTS / 2)
        for (let k = 0; k < MANY; k++) link(document, k % 20 === 0 ? "doc_none" : defined(documents[0]).id);
    });
    await database.transaction(async (tx) => {
      for (let i = 0; i < documents.length; i += 100)
        await tx
          .insertInto("documents")
          .values(documents.slice(i, i + 100))
          .execute();
      await insertLinks(tx, links);
    });
  });

  const walk = async (report: string, limit: number): Promise<{ items: Loose[]; requests: number }> => {
    const items: Loose[] = [];
    let cursor = "";
    for (let requests = 1; ; requests++) {
      const path = `/knowledge-bases/${kb}/link-report?report=${report}&limit=${limit}${cursor}`;
      const { data, page } = assertStatus(await person.client.get(path), 200).body;
      assert.ok(data.length <= limit);
      items.push(...data);
      if (!page.has_more) return { items, requests };
      cursor = `&cursor=${page.next_cursor}`;
    }
  };

  test("REL10 every dangling relation comes once, whatever the page size", async () => {
    const dangling = links.filter((link) => link.target_document_id === "doc_none").map((link) => link.id);
    for (const limit of [100, 37]) {
      const { items, requests } = await walk("dangling", limit);
      assert.deepEqual(
        items.map((item) => item.relation.id),
        dangling,
      );
      assert.ok(requests > 2);
    }
  });

  test("REL10 every document that nothing points to comes once", async () => {
    const linked = new Set(links.map((link) => link.target_document_id));
    const unlinked = documents.filter((document) => !linked.has(document.id)).map((document) => document.id);
    const { items } = await walk("unlinked", 90);
    assert.deepEqual(
      items.slice(1).map((item) => item.document_id),
      unlinked,
    );
    assert.equal(items[0].title, "Title");
  });

  test("REL10 the most linked come first", async () => {
    const { items } = await walk("most_linked", 100);
    assert.deepEqual(items[0], {
      document_id: defined(documents[0]).id,
      title: "Document 0",
      incoming_count: MANY - MANY / 20,
    });
    assert.equal(items.length, 251);
    assert.equal(new Set(items.map((item) => item.document_id)).size, 251);
  });
});
