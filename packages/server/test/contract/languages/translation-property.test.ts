import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import fc from "fast-check";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeKnowledgeBase } from "../../support/fixtures.ts";
import { NaiveUnits } from "../../support/naive-units.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const words = ["alpha", "beta", "gamma", "alpha beta", "42", ""];
const line = (index: number): Loose[] => {
  const text = defined(words[index % words.length]);
  if (text === "") return [];
  return [{ type: "text", text, ...(index >= words.length && { marks: [{ type: "bold" }] }) }];
};
const paragraph = (index: number): Loose => ({ type: "paragraph", content: line(index) });
const makers: ((index: number) => Loose)[] = [
  paragraph,
  (index) => ({ type: "heading", attrs: { level: 2 }, content: line(index) }),
  (index) => ({
    type: "bulletList",
    content: [index, index + 1, index + 2].map((i) => ({ type: "listItem", content: [paragraph(i)] })),
  }),
  (index) => ({ type: "codeBlock", content: [{ type: "text", text: `code ${index}` }] }),
];

const withoutIds = (node: Loose): Loose => {
  const { id: _, ...attrs } = node.attrs ?? {};
  return { ...node, attrs, ...(node.content && { content: node.content.map(withoutIds) }) };
};
const linesIn = (node: Loose): Loose[] =>
  node.type === "paragraph" || node.type === "heading" ? [node] : (node.content ?? []).flatMap(linesIn);

type Edit = (blocks: Loose[], at: number, pick: number) => Loose[];

/** One change of a body, as a client that holds the whole of it would make. */
const edits: Record<string, Edit> = {
  write: (blocks, at, pick) => {
    const lines = blocks.flatMap(linesIn);
    if (lines.length > 0) lines[at % lines.length].content = line(pick);
    return blocks;
  },
  insert: (blocks, at, pick) =>
    blocks.toSpliced(at % (blocks.length + 1), 0, defined(makers[pick % makers.length])(pick)),
  remove: (blocks, at) => blocks.toSpliced(at % (blocks.length || 1), 1),
  move: (blocks, at, pick) => {
    const [moved] = blocks.splice(at % (blocks.length || 1), 1);
    return moved ? blocks.toSpliced(pick % (blocks.length + 1), 0, moved) : blocks;
  },
  merge: (blocks, at) => {
    const [one, other] = [blocks.flatMap(linesIn)[0], blocks[at % (blocks.length || 1)]];
    if (!one || !other || linesIn(other).includes(one)) return blocks;
    one.content = [...(one.content ?? []), ...(linesIn(other)[0]?.content ?? [])];
    return blocks.filter((block) => block !== other);
  },
  forgetIds: (blocks) => blocks.map(withoutIds),
  forgetIdsAndWrite: (blocks, at, pick) => defined(edits.write)(blocks.map(withoutIds), at, pick),
  forgetIdsAndInsert: (blocks, at, pick) => defined(edits.insert)(blocks.map(withoutIds), at, pick),
};

const step = fc.record({
  side: fc.constantFrom("source", "target"),
  kind: fc.constantFrom(...Object.keys(edits), "write", "write", "write", "rollback", "review", "review"),
  at: fc.nat(20),
  pick: fc.nat(11),
});

onEachDatabase("random edits of both sides", (world) => {
  let ada: Person;
  let kb: number;
  before(async () => {
    ada = await world.person();
    kb = (await makeKnowledgeBase(ada.client)).id;
  });

  test("the units agree with a recomputation from whole bodies after every write", async () => {
    const run = async (mode: string, first: number[], steps: Loose[]) => {
      const { client } = ada;
      const content = {
        format: "tiptap-json",
        document: { type: "doc", content: first.map((n) => defined(makers[n % makers.length])(n)) },
      };
      const { id } = assertStatus(
        await client.post("/documents", { title: "T", knowledge_base_id: kb, content }),
        201,
      ).data;
      const activation = { source_locale: "en", target_locales: ["es"], create_mode: mode };
      const set = assertStatus(await client.post(`/documents/${id}/localization/activate`, activation), 201).data;
      const ids: Record<string, string> = { source: id, target: set.variants[1].document_id };
      const blocksOf = async (side: string): Promise<Loose[]> =>
        (await client.get(`/documents/${ids[side]}/content`)).data.document.content;
      const naive = new NaiveUnits(await blocksOf("source"), await blocksOf("target"), mode);

      const perform = async ({ side, kind, at, pick }: Loose) => {
        const path = `/documents/${ids[side]}`;
        if (kind === "review") {
          const units = (await client.get(`/documents/${id}/translation-units?limit=100`)).data;
          if (units.length === 0) return;
          const unit = units[at % units.length];
          const review_status = pick % 2 === 0 ? "current" : "ignored";
          const reply = await client.patch(
            `/documents/${id}/translation-units/${unit.id}`,
            { review_status },
            { ifMatch: "*" },
          );
          assertStatus(reply, 200);
          return naive.review(unit.source_block_id, review_status);
        }
        if (kind === "rollback") {
          const versions = (await client.get(`${path}/versions`)).data;
          if (versions.length === 0) return;
          const { seq } = versions[at % versions.length];
          assertStatus(await client.post(`${path}/versions/${seq}/rollback`, undefined, { ifMatch: "*" }), 200);
        } else {
          const document = {
            type: "doc",
            content: defined(edits[kind])(structuredClone(await blocksOf(side)), at, pick),
          };
          const body = { format: "tiptap-json", document };
          assertStatus(await client.put(`${path}/content`, body, { ifMatch: "*" }), 200);
        }
        if (side === "source") naive.writeSource(await blocksOf("source"));
        else naive.writeTarget(await blocksOf("target"));
      };

      for (const one of steps) {
        await perform(one);
        const units = (await client.get(`/documents/${id}/translation-units?limit=100`)).data;
        const shown = Object.fromEntries(
          units.map((u: Loose) => [
            u.source_block_id,
            [u.freshness, u.review_status, u.origin, u.target_block_id ?? "-"],
          ]),
        );
        assert.deepEqual(shown, naive.shown(), JSON.stringify(one));
        const document = (await client.get(`/documents/${ids.target}`)).data;
        assert.equal(document.translation_freshness, naive.worst(), JSON.stringify(one));
      }
      const { total, missing, source_changed, current, conflict, ignored, orphaned } = (
        await client.get(`/document-sets/${set.id}`)
      ).data.variants[1].units;
      const all = naive.units.map((unit) => naive.freshnessOf(unit));
      assert.equal(missing + source_changed + current + conflict + ignored, total);
      assert.deepEqual([total + orphaned, orphaned], [all.length, all.filter((state) => state === "orphaned").length]);
    };
    const modes = fc.constantFrom("copy_structure", "copy_content", "empty");
    await fc.assert(
      fc.asyncProperty(
        modes,
        fc.array(fc.nat(11), { minLength: 1, maxLength: 5 }),
        fc.array(step, { minLength: 4, maxLength: 14 }),
        run,
      ),
      { numRuns: 25, seed: Number(process.env.SVC_TEST_SEED ?? 20261115) },
    );
  });
});
