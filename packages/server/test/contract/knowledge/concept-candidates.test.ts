import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("concept candidates", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const read = async (id: string) => (await ada.client.get(`/concepts/${id}`)).data;

  test("CON10 candidates come from titles and link texts, the same again refreshes, rejected ones stay away", async () => {
    const own = (await makeKnowledgeBase(ada.client)).id;
    const target = await makeDocument(ada.client, { knowledge_base_id: own, title: "Raft" });
    const other = await makeDocument(ada.client, {
      knowledge_base_id: own,
      title: "Consensus",
      text: `See [log replication](svc://doc/${target.id}).`,
    });
    const extract = async () => (await ada.client.post("/concept-candidates/extract", { knowledge_base_id: own })).data;
    assert.deepEqual(await extract(), { created: 3, refreshed: 0, skipped_rejected: 0 });
    assert.deepEqual(await extract(), { created: 0, refreshed: 3, skipped_rejected: 0 });
    const list = async () => (await ada.client.get(`/concept-candidates?knowledge_base_id=${own}&status=pending`)).data;
    const [first, second, third] = await list();
    const link = [first, second, third].find((candidate: Loose) => candidate.kind === "link");
    assert.deepEqual([link.name, link.source_document_id, link.freshness], ["log replication", other.id, "current"]);
    assert.ok(link.source_block_id);

    assertError(await ada.client.post(`/concept-candidates/${link.id}/reject`), "precondition_required");
    assertStatus(
      await ada.client.post(`/concept-candidates/${link.id}/reject`, undefined, { ifMatch: link.version }),
      200,
    );
    assert.deepEqual(await extract(), { created: 0, refreshed: 2, skipped_rejected: 1 });
    assertError(
      await ada.client.post(`/concept-candidates/${link.id}/accept`, {}, { ifMatch: "*" }),
      "candidate_decided",
    );

    const reopen = () => ada.client.post(`/concept-candidates/${link.id}/reopen`, undefined, { ifMatch: "*" });
    assertError(await ada.client.post(`/concept-candidates/${link.id}/reopen`), "precondition_required");
    assert.equal(assertStatus(await reopen(), 200).data.status, "pending");
    assert.deepEqual(await extract(), { created: 0, refreshed: 3, skipped_rejected: 0 });
    assertError(await reopen(), "candidate_decided");
  });

  test("CON11 accepting makes a concept with evidence, or another name of one; a stale one must be extracted again", async () => {
    const own = (await makeKnowledgeBase(ada.client)).id;
    const document = await makeDocument(ada.client, { knowledge_base_id: own, title: "Paxos" });
    await makeDocument(ada.client, { knowledge_base_id: own, title: "Multi-Paxos" });
    await ada.client.post("/concept-candidates/extract", { knowledge_base_id: own });
    const candidates = (await ada.client.get(`/concept-candidates?knowledge_base_id=${own}`)).data;
    const find = (name: string) => candidates.find((candidate: Loose) => candidate.name === name);
    await ada.client.put(`/documents/${document.id}/content`, markdown("Changed."), { ifMatch: "*" });
    const paxos = find("Paxos");
    assertError(
      await ada.client.post(`/concept-candidates/${paxos.id}/accept`, {}, { ifMatch: paxos.version }),
      "candidate_stale",
    );
    await ada.client.post("/concept-candidates/extract", { document_id: document.id });
    const accepted = assertStatus(
      await ada.client.post(`/concept-candidates/${paxos.id}/accept`, {}, { ifMatch: "*" }),
      200,
    ).data;
    const concept = await read(accepted.concept_id);
    assert.deepEqual(
      [concept.name, concept.sources[0].document_id, concept.sources[0].freshness],
      ["Paxos", document.id, "current"],
    );
    const multi = find("Multi-Paxos");
    assertStatus(
      await ada.client.post(
        `/concept-candidates/${multi.id}/accept`,
        { concept_id: concept.id },
        { ifMatch: multi.version },
      ),
      200,
    );
    assert.deepEqual((await read(concept.id)).aliases, ["Multi-Paxos"]);
    assert.equal((await read(concept.id)).sources.length, 2);
  });

  test("CON11 a candidate whose source has gone to another knowledge base is stale until it is back", async () => {
    const [own, other] = [await makeKnowledgeBase(ada.client), await makeKnowledgeBase(ada.client)];
    const { id } = await makeDocument(ada.client, { knowledge_base_id: own.id, title: "Gossip" });
    await ada.client.post("/concept-candidates/extract", { document_id: id });
    const move = (knowledge_base_id: number) => ada.client.patch(`/documents/${id}`, { knowledge_base_id });
    const find = async () => (await ada.client.get(`/concept-candidates?knowledge_base_id=${own.id}`)).data[0];
    const accept = ({ id: candidate, version }: Loose) =>
      ada.client.post(`/concept-candidates/${candidate}/accept`, {}, { ifMatch: version });
    await move(other.id);
    const moved = await find();
    assert.equal(moved.freshness, "stale");
    assertError(await accept(moved), "candidate_stale");
    await move(own.id);
    assert.equal((await find()).freshness, "current");
    assertStatus(await accept(moved), 200);
  });
});
