import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { newId } from "@svc/server/ids";
import fc from "fast-check";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeConcept, makeDocument, makeKnowledgeBase } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("relations and merges of concepts", (world) => {
  let ada: Person;
  let kb: number;
  before(async () => {
    ada = await world.person();
    kb = (await makeKnowledgeBase(ada.client)).id;
  });
  const make = (name: string, fields: Loose = {}) =>
    makeConcept(ada.client, { name, knowledge_base_id: kb, ...fields });
  const read = async (id: string) => (await ada.client.get(`/concepts/${id}`)).data;
  const relate = async (from: string, predicate: string, to: string, fields: Loose = {}) =>
    ada.client.post(
      `/concepts/${from}/relations`,
      { predicate, target_concept_id: to, ...fields },
      { ifMatch: (await read(from)).version },
    );
  const merge = async (survivor: string, source: string) =>
    ada.client.post(
      `/concepts/${survivor}/merge`,
      { source_concept_id: source, source_version: (await read(source)).version },
      { ifMatch: (await read(survivor)).version },
    );

  test("CON5 relations refuse loops, cycles and unknown predicates, and read from both sides", async () => {
    const [a, b, c] = [await make("A"), await make("B"), await make("C")];
    assertError(await relate(a.id, "eats", b.id), "unknown_predicate");
    assertError(await relate(a.id, "", b.id), "invalid_request");
    assertError(await relate(a.id, "related_to", ""), "invalid_request");
    assertError(await relate(a.id, "related_to", a.id), "concept_self_loop");
    assertError(await relate(a.id, "related_to", "concept_01K9ZQ4T6N4Y3V7J8W2M5R1XCM"), "not_found");
    assertStatus(await relate(a.id, "broader_than", b.id), 201);
    assertStatus(await relate(b.id, "broader_than", c.id), 201);
    assertError(await relate(c.id, "broader_than", a.id), "concept_cycle");
    assert.deepEqual(
      (await read(b.id)).relations.map((r: Loose) => [r.direction, r.predicate]),
      [
        ["incoming", "broader_than"],
        ["outgoing", "broader_than"],
      ],
    );
    assertStatus(await relate(a.id, "broader_than", b.id), 201);
    assert.equal((await read(a.id)).relations.length, 1, "the same again adds nothing");
  });

  test("CON6 of two requests that would close a cycle together one fails", async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await make("A"), await make("B")];
      const both = await Promise.all([
        ada.client.post(
          `/concepts/${a.id}/relations`,
          { predicate: "broader_than", target_concept_id: b.id },
          { ifMatch: "*" },
        ),
        ada.client.post(
          `/concepts/${b.id}/relations`,
          { predicate: "broader_than", target_concept_id: a.id },
          { ifMatch: "*" },
        ),
      ]);
      assert.deepEqual(both.map((reply) => reply.status).sort(), [201, 422]);
    }
  });

  test("CON7 an edge counts from valid_from until just before valid_to", async () => {
    const [a, b] = [await make("A"), await make("B")];
    await relate(a.id, "related_to", b.id, { valid_from: 1000, valid_to: 2000 });
    const edges = async (at: number) => (await ada.client.get(`/concepts/${b.id}/traverse?at=${at}`)).data.edges.length;
    assert.deepEqual([await edges(999), await edges(1000), await edges(1999), await edges(2000)], [0, 1, 1, 0]);
  });

  test("CON8 traversal follows direction, predicate and depth", async () => {
    const [a, b, c] = [await make("A"), await make("B"), await make("C")];
    await relate(a.id, "broader_than", b.id);
    await relate(b.id, "broader_than", c.id);
    await relate(c.id, "alias_of", a.id);
    const names = async (id: string, query: string) =>
      (await ada.client.get(`/concepts/${id}/traverse?${query}`)).data.nodes.map(
        (node: Loose) => `${node.name}${node.depth}`,
      );
    assert.deepEqual(await names(a.id, "direction=outgoing"), ["A0", "B1"]);
    assert.deepEqual(await names(a.id, "direction=outgoing&depth=2&predicate=broader_than"), ["A0", "B1", "C2"]);
    assert.deepEqual(await names(b.id, "direction=incoming"), ["B0", "A1"]);
    assert.deepEqual(await names(a.id, "direction=incoming&predicate=alias_of"), ["A0", "C1"]);
    assertError(await ada.client.get(`/concepts/${a.id}/traverse?predicate=eats`), "unknown_predicate");
    assertError(await ada.client.get(`/concepts/${a.id}/traverse?depth=6`), "invalid_request");
  });

  test("CON8 a traversal that reaches too much is cut, and says so", async () => {
    const hub = await make("Hub");
    const { database } = world.app.services;
    await database.transaction(async (tx) => {
      const row = await tx.selectFrom("concepts").selectAll().where("id", "=", hub.id).executeTakeFirstOrThrow();
      const ids = Array.from({ length: 600 }, () => newId("concept"));
      for (const some of [ids.slice(0, 300), ids.slice(300)]) {
        await tx
          .insertInto("concepts")
          .values(some.map((id) => ({ ...row, id })))
          .execute();
        const ends = { workspace_id: row.workspace_id, predicate: "related_to", source_concept_id: hub.id } as const;
        const rest = { valid_from: null, valid_to: null, created_by: row.created_by, created_at: row.created_at };
        const edges = some.map((id) => ({ ...ends, ...rest, id: newId("rel"), target_concept_id: id }));
        await tx.insertInto("concept_relations").values(edges).execute();
      }
    });
    const { data } = await ada.client.get(`/concepts/${hub.id}/traverse?depth=5`);
    assert.deepEqual([data.nodes.length, data.edges.length, data.truncated], [500, 499, true]);
  });

  test("CON9 a merge protects both versions, keeps everything, and the old id resolves for ever", async () => {
    const survivor = await make("Car", { labels: [{ locale: "de", name: "Auto" }] });
    const source = await make("Automobile", {
      aliases: ["motor car"],
      labels: [
        { locale: "de", name: "Wagen" },
        { locale: "fr", name: "voiture" },
      ],
    });
    const wheel = await make("Wheel");
    await relate(source.id, "related_to", wheel.id);
    const body = { source_concept_id: source.id, source_version: (await read(source.id)).version };
    const path = `/concepts/${survivor.id}/merge`;
    assertError(await ada.client.post(path, body), "precondition_required");
    assert.equal(
      assertError(
        await ada.client.post(path, { source_concept_id: source.id }, { ifMatch: survivor.version }),
        "precondition_required",
      ).field,
      "source_version",
    );
    assertError(
      await ada.client.post(path, { ...body, source_version: source.version }, { ifMatch: survivor.version }),
      "version_conflict",
    );
    const { data } = assertStatus(await ada.client.post(path, body, { ifMatch: survivor.version }), 200);
    assert.deepEqual(data.aliases, ["Automobile", "motor car", "Wagen"]);
    assert.deepEqual(
      data.labels.map((label: Loose) => label.name),
      ["Auto", "voiture"],
    );
    assert.equal(data.relations[0].target_concept_id, wheel.id);
    const old = await ada.client.get(`/concepts/${source.id}`);
    assert.deepEqual([old.data.id, old.data.redirected_from], [survivor.id, source.id]);
    assertError(await ada.client.patch(`/concepts/${source.id}`, { name: "x" }, { ifMatch: "*" }), "concept_merged");
    const actions = (await ada.client.get(`/concepts/${source.id}/history`)).data.map((entry: Loose) => entry.action);
    assert.deepEqual(actions.sort(), ["created", "created", "merged", "merged_into", "relation_added"]);

    const last = await make("Vehicle");
    assertStatus(await merge(last.id, survivor.id), 200);
    assert.equal((await read(source.id)).id, last.id, "chains too");
  });

  test("CON13 a merge is taken back whole while nothing has followed, and refused afterwards", async () => {
    const survivor = await make("Ship", { labels: [{ locale: "de", name: "Schiff" }] });
    const source = await make("Vessel", { aliases: ["craft"], description: "It floats." });
    const [older, sail, sea] = [await make("Barque"), await make("Sail"), await make("Sea")];
    assertStatus(await merge(source.id, older.id), 200);
    await relate(source.id, "related_to", sail.id);
    await relate(sea.id, "broader_than", survivor.id);
    const page = await makeDocument(ada.client, { knowledge_base_id: kb });
    for (const { id } of [survivor, source])
      assertStatus(
        await ada.client.post(
          `/concepts/${id}/sources`,
          { document_id: page.id, source_version: page.version },
          { ifMatch: (await read(id)).version },
        ),
        201,
      );
    const told = ({ version: _, updated_at: __, ...rest }: Loose) => rest;
    const before = [told(await read(survivor.id)), told(await read(source.id))];
    const unmerge = (ifMatch: string) => ada.client.post(`/concepts/${survivor.id}/unmerge`, undefined, { ifMatch });
    assertError(await unmerge((await read(survivor.id)).version), "version_conflict");
    const merged = assertStatus(await merge(survivor.id, source.id), 200).data;
    assertError(await unmerge(survivor.version), "version_conflict");
    for (const ifMatch of [merged.version, source.version, "*"]) {
      const path = `/concepts/${source.id}`;
      assertError(await ada.client.post(`${path}/unmerge`, undefined, { ifMatch }), "concept_merged");
      assertError(await ada.client.patch(path, { name: "x" }, { ifMatch }), "concept_merged");
    }
    assertError(await ada.client.post(`/concepts/${source.id}/unmerge`), "precondition_required");
    assertStatus(await unmerge(merged.version), 200);
    assert.deepEqual([told(await read(survivor.id)), told(await read(source.id))], before);
    assert.equal((await read(older.id)).id, source.id, "older ids lead where they led");
    const { data: history } = await ada.client.get(`/concepts/${survivor.id}/history`);
    assert.deepEqual(history[0].action, "unmerged");
    assert.ok(history.every((entry: Loose) => entry.details.undo === undefined));
    const again = assertStatus(await merge(survivor.id, source.id), 200).data;
    const path = `/concepts/${survivor.id}`;
    const renamed = assertStatus(await ada.client.patch(path, { name: "Boat" }, { ifMatch: again.version }), 200).data;
    assertError(await unmerge(renamed.version), "version_conflict");
  });

  test("CON12 any sequence of relations and merges keeps broader_than acyclic, ids resolving, labels unique", async () => {
    const step = fc.record({ kind: fc.constantFrom("broader", "merge", "related"), from: fc.nat(5), to: fc.nat(5) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
        const locales = ["de", "fr", "es"];
        const ids: string[] = [];
        for (let i = 0; i < 6; i++)
          ids.push((await make(`N${i}`, { labels: [{ locale: locales[i % 3], name: `L${i}` }] })).id);
        for (const { kind, from, to } of steps) {
          if (kind === "merge") await merge(defined(ids[from]), defined(ids[to]));
          else await relate(defined(ids[from]), kind === "broader" ? "broader_than" : "related_to", defined(ids[to]));
        }
        const concepts = await Promise.all(ids.map(read));
        for (const concept of concepts) {
          assert.equal(concept.merged_into, null, "every id resolves to a living concept");
          assert.equal(new Set(concept.labels.map((label: Loose) => label.locale)).size, concept.labels.length);
        }
        assertAcyclic(concepts);
      }),
      { numRuns: 6, seed: 42 },
    );
  });
});

function assertAcyclic(concepts: Loose[]): void {
  const narrower = new Map<string, string[]>(
    concepts.map((concept) => [
      concept.id,
      concept.relations
        .filter((relation: Loose) => relation.predicate === "broader_than" && relation.direction === "outgoing")
        .map((relation: Loose) => relation.target_concept_id),
    ]),
  );
  const visit = (id: string, path: string[]): void => {
    assert.ok(!path.includes(id), "a cycle");
    for (const next of narrower.get(id) ?? []) visit(next, [...path, id]);
  };
  for (const id of narrower.keys()) visit(id, []);
}
