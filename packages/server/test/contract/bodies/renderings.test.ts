import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { renderBody } from "@svc/document/html/render";
import { joinRuns, serialiseBody } from "@svc/document/markdown/serialise";
import { anyBlocks } from "@svc/document/markdown/testing/markdown-bodies";
import { slugs } from "@svc/document/read/slugs";
import { validateBody } from "@svc/document/schema/validate";
import { h, p } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { getBodyState, readBody } from "@svc/server/bodies/load-body";
import { readRuns } from "@svc/server/bodies/read-runs";
import { RULES } from "@svc/server/bodies/renderings";
import { joinHtml } from "@svc/server/bodies/stored-html";
import type { DocumentKey } from "@svc/server/db/document-key";
import { findVersion } from "@svc/server/domain/content/versions/load-version";
import fc from "fast-check";
import { tiptap } from "../../support/bodies.ts";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

/** Such as the service takes; a file would be another document's. */
const blockLists = anyBlocks.filter((content) => {
  try {
    validateBody({ type: "doc", content }, { documentType: "document", maxCharacters: 100_000 });
    return !JSON.stringify(content).includes("attachmentId");
  } catch {
    return false;
  }
});

/** Renders from the blocks themselves. */
const fresh = (content: readonly Node[]) => ({
  markdown: serialiseBody(content),
  html: renderBody(content, { slugs: slugs({ type: "doc", content }) }),
});

onEachDatabase(
  "stored Markdown and HTML",
  (world) => {
    let ada: Person;
    let base: Loose;
    before(async () => {
      ada = await world.person();
      base = await makeKnowledgeBase(ada.client);
    });
    const make = async (nodes: readonly Node[]): Promise<Loose> => {
      const body = { title: "Title", knowledge_base_id: base.id, content: tiptap(...nodes) };
      return assertStatus(await ada.client.post("/documents", body), 201).data;
    };
    const database = () => world.app.services.database;
    const keyOf = (document: Loose): DocumentKey => ({ workspaceId: ada.workspaceId, documentId: document.id });
    const rowsOf = (key: DocumentKey) =>
      database()
        .read.selectFrom("segments")
        .selectAll()
        .where("document_id", "=", key.documentId)
        .orderBy("hash")
        .execute();

    /** Past every memory of texts. */
    async function stored(key: DocumentKey) {
      const { read } = database();
      const state = await getBodyState(read, key);
      const [markdown, html] = await Promise.all([
        readRuns(read, key, state, "markdown"),
        readRuns(read, key, state, "html"),
      ]);
      return { markdown: joinRuns(markdown.runs), html: String(joinHtml(html.runs)) };
    }

    test("BODY25 after any edits they are what the blocks give, in the body and in its snapshots", async () => {
      const { read } = database();
      await fc.assert(
        fc.asyncProperty(fc.array(blockLists, { minLength: 2, maxLength: 5 }), async ([first, ...others]) => {
          const document = await make(defined(first));
          const key = keyOf(document);
          assert.deepEqual(await stored(key), fresh((await readBody(read, key)).blocks));
          const states: (readonly Node[])[] = [];
          for (const more of others) {
            const { blocks, version } = await readBody(read, key);
            states.push(blocks);
            const at = Math.floor(blocks.length / 2);
            const next = tiptap(...blocks.slice(0, at), ...more, ...blocks.slice(at + 1));
            assertStatus(
              await ada.client.put(`/documents/${key.documentId}/content`, next, { headers: { "if-match": version } }),
              200,
            );
            assert.deepEqual(await stored(key), fresh((await readBody(read, key)).blocks));
          }
          const { revision } = await getBodyState(read, key);
          for (let seq = 1; seq < revision; seq++) {
            const { source } = await findVersion(read, key, seq, revision);
            const { blocks } = await source.body();
            assert.deepEqual(joinRuns((await source.runs("markdown")).runs), fresh(blocks).markdown);
            assert.equal(String(joinHtml((await source.runs("html")).runs)), fresh(blocks).html);
          }
          for (const row of await rowsOf(key)) assert.equal(row.rules, RULES);
        }),
        { numRuns: world.kind === "sqlite" ? 30 : 10, seed: 6 },
      );
    });

    const rules = [
      ["from before they were stored", null],
      ["of other rules", RULES + 1],
    ] as const;
    for (const [title, number] of rules)
      for (const isEdited of [false, true])
        test(`BODY25 rows ${title} are rendered when they are read${isEdited ? ", beside newer ones" : ""}`, async () => {
          const content = Array.from({ length: 60 }, (_, i) => [
            h(2, `Part ${i % 7}`),
            p(`${i} of ${ada.userId} `.repeat(9)),
          ]);
          const document = await make(content.flat());
          const key = keyOf(document);
          const wrong = number === null ? null : '{"warnings":[],"slugs":[],"places":[]}\nwrong';
          await database().transaction((tx) =>
            tx
              .updateTable("segments")
              .set({ rules: number, markdown: wrong, html: wrong })
              .where("document_id", "=", key.documentId)
              .execute(),
          );
          if (isEdited) {
            const [block] = (await readBody(database().read, key)).blocks.slice(50);
            const path = `/documents/${key.documentId}/blocks/${defined(defined(block).attrs).id}`;
            assertStatus(await ada.client.patch(path, { node: p("edited") }), 200);
            const numbers = new Set((await rowsOf(key)).map((row) => row.rules));
            assert.deepEqual(numbers, new Set([number, RULES]));
          }
          const expected = fresh((await readBody(database().read, key)).blocks);
          const get = async (format: string) =>
            (
              await ada.client.get(`/documents/${key.documentId}/content?format=${format}`, {
                headers: { accept: "application/json" },
              })
            ).data;
          assert.equal((await get("markdown")).content, expected.markdown.text);
          assert.equal((await get("html")).content, expected.html);
        });

    const written = (id: string) => `Title\n=====\n\n${id} <blink>1</blink>\n\n<center>2</center>\n`;
    const sourceOf = ({ documentId }: DocumentKey) =>
      database().read.selectFrom("body_sources").selectAll().where("document_id", "=", documentId).executeTakeFirst();
    const htmlOf = ({ documentId }: DocumentKey) =>
      database().read.selectFrom("body_html").selectAll().where("document_id", "=", documentId).executeTakeFirst();
    const isMarkdown = (content: string) => ({ format: "markdown", content });
    const readMarkdown = async ({ documentId }: DocumentKey) =>
      (
        await ada.client.get(`/documents/${documentId}/content?format=markdown`, {
          headers: { accept: "application/json" },
        })
      ).data;

    const readHtml = async ({ documentId }: DocumentKey): Promise<string> =>
      (
        await ada.client.get(`/documents/${documentId}/content?format=html`, {
          headers: { accept: "application/json" },
        })
      ).data.content;

    test("BODY25 HTML, and what Markdown cannot say, is kept with the source and is what the blocks give", async () => {
      const content = isMarkdown(written(ada.userId));
      const body = { title: "Title", knowledge_base_id: base.id, content };
      const key = keyOf(assertStatus(await ada.client.post("/documents", body), 201).data);
      const check = async () => {
        const { blocks, version } = await readBody(database().read, key);
        const { warnings } = fresh(blocks).markdown;
        assert.ok(warnings.length >= 2);
        const { html } = fresh(blocks);
        const kept = await sourceOf(key);
        assert.deepEqual([kept?.version, kept?.rendered_version, kept?.rules], [version, version, RULES]);
        const { content, warnings: told } = await readMarkdown(key);
        assert.deepEqual([content, told, await readHtml(key)], [kept?.source, warnings, html]);
        const ready = await htmlOf(key);
        return [kept?.warnings === JSON.stringify(warnings), ready?.html === html && ready?.version === version];
      };
      assert.deepEqual(await check(), [true, true]);
      const replace = async (query: string, more: string) => {
        const next = isMarkdown(`${written(ada.userId)}\n${more}\n`);
        const path = `/documents/${key.documentId}/content${query}`;
        assertStatus(await ada.client.put(path, next, { headers: { "if-match": "*" } }), 200);
        return check();
      };
      assert.deepEqual(await replace("", "<center>3</center>"), [true, true]);
      // Unchanged segments are not rendered again, so nothing may be cached for the whole body.
      await replace("?ids=match", "<center>4</center>");
    });

    test("BODY25 the source of an earlier version does not give the HTML of this one", async () => {
      const content = isMarkdown(written(`${ada.userId} edited`));
      const body = { title: "Title", knowledge_base_id: base.id, content };
      const key = keyOf(assertStatus(await ada.client.post("/documents", body), 201).data);
      const [block] = (await readBody(database().read, key)).blocks;
      const path = `/documents/${key.documentId}/blocks/${defined(defined(block).attrs).id}`;
      assertStatus(await ada.client.patch(path, { node: p("edited") }), 200);
      const { blocks } = await readBody(database().read, key);
      assert.equal(await readHtml(key), fresh(blocks).html);
      assert.match(await readHtml(key), /edited/);
    });

    for (const [title, source, html] of [
      ["that are not known", { warnings: null }, undefined],
      ["from before they were kept", { warnings: null, rules: null, rendered_version: null }, undefined],
      ["of other rules", { warnings: "[]", rules: RULES + 1 }, { html: "wrong", rules: RULES + 1 }],
      [
        "that a release left which does not know them",
        { warnings: "[]", rendered_version: "another" },
        { html: "wrong", version: "another" },
      ],
    ] as const)
      test(`BODY25 warnings and HTML ${title} are made from the body`, async () => {
        const content = isMarkdown(written(`${ada.userId} ${title}`));
        const body = { title: "Title", knowledge_base_id: base.id, content };
        const key = keyOf(assertStatus(await ada.client.post("/documents", body), 201).data);
        await database().transaction(async (tx) => {
          await tx.updateTable("body_sources").set(source).where("document_id", "=", key.documentId).execute();
          if (html) await tx.updateTable("body_html").set(html).where("document_id", "=", key.documentId).execute();
          else await tx.deleteFrom("body_html").where("document_id", "=", key.documentId).execute();
        });
        const { blocks } = await readBody(database().read, key);
        const answer = await readMarkdown(key);
        assert.deepEqual([answer.content, answer.warnings], [content.content, fresh(blocks).markdown.warnings]);
        assert.equal(await readHtml(key), fresh(blocks).html);
      });

    test("BODY25 the HTML goes with its body, and when the text is written otherwise", async () => {
      const long = (end: string) => isMarkdown(`${"A line\n======\n\nMore of it.\n\n".repeat(200)}${end}\n`);
      const body = { title: "Title", knowledge_base_id: base.id, content: long("To be removed.") };
      const key = keyOf(assertStatus(await ada.client.post("/documents", body), 201).data);
      assert.match(defined(await htmlOf(key)).html, /To be removed/);
      const path = `/documents/${key.documentId}/content?ids=match`;
      const headers = { "if-match": "*" };
      assertStatus(await ada.client.put(path, long("It is gone."), { headers }), 200);
      assert.equal(await htmlOf(key), undefined);
      assertStatus(await ada.client.put(path.split("?")[0] ?? "", long("Written whole."), { headers }), 200);
      assert.ok(await htmlOf(key));
      await database().transaction((tx) => tx.deleteFrom("bodies").where("document_id", "=", key.documentId).execute());
      assert.equal(await htmlOf(key), undefined);
    });

    test("BODY25 a text that no database keeps as it is, is told as it is", async () => {
      const document = await make([h(1, "\0"), p(`half of a pair: \ud800 ${ada.userId}`)]);
      const key = keyOf(document);
      assert.deepEqual(await stored(key), fresh((await readBody(database().read, key)).blocks));
    });

    test("BODY25 they come back with a document from the trash", async () => {
      const document = await make([h(1, "One"), p("two")]);
      const key = keyOf(document);
      const rows = await rowsOf(key);
      assert.ok(rows.length > 0 && rows.every((row) => row.markdown && row.html));
      assertStatus(await ada.client.delete(`/documents/${document.id}`), 200);
      const { data } = await ada.client.get("/trash?limit=100");
      const entry = data.find((item: Loose) => item.item_id === document.id);
      assertStatus(await ada.client.post(`/trash/${entry.id}/restore`), 200);
      assert.deepEqual(await rowsOf(key), rows);
    });
  },
  { SVC_RATE_LIMIT: "100000" },
);
