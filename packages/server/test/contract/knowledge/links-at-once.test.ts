import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { Node } from "@svc/document/types";
import type { Tx } from "@svc/server/db/database";
import { createDocument } from "@svc/server/domain/library/documents/create-document";
import { deleteDocument } from "@svc/server/domain/lifecycle/deletion/delete-document";
import type { Actor } from "@svc/server/events/actor";
import { newBlockId } from "@svc/server/ids";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../../support/fixtures.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

/** Long enough for the second transaction to commit, where it does not wait for the first. */
const HEAD_START_MS = 300;

onEachDatabase("links by name, and pages that come or go in the same instant", (world) => {
  let ada: Person;
  let base: Loose;
  before(async () => {
    ada = await world.person();
    base = await makeKnowledgeBase(ada.client);
  });

  const make = (title: string, text = ""): Promise<Loose> =>
    makeDocument(ada.client, { title, knowledge_base_id: base.id, text });

  const actor = (): Actor => ({
    userId: ada.userId,
    tokenId: ada.tokenId,
    client: { name: null, version: null, agent: false },
  });

  const linkTo = (name: string): Node[] => [
    {
      type: "paragraph",
      attrs: { id: newBlockId() },
      content: [{ type: "text", text: name, marks: [{ type: "link", attrs: { href: `wiki:${name}` } }] }],
    },
  ];

  async function create(tx: Tx, title: string, blocks: readonly Node[] = []): Promise<string> {
    const place = { workspaceId: ada.workspaceId, knowledgeBaseId: base.id };
    return (await createDocument(world.app.services, tx, { ...place, title, blocks, actor: actor() })).id;
  }

  const remove = (tx: Tx, { id }: Loose): Promise<void> =>
    deleteDocument(world.app.services, tx, {
      workspaceId: ada.workspaceId,
      id,
      actor: actor(),
      rights: undefined,
    });

  /** Runs `first` in a transaction that is still open while `second` runs, as far as the database lets it. */
  async function atOnce<First, Second>(first: (tx: Tx) => Promise<First>, second: () => Promise<Second>) {
    const others: Promise<Second>[] = [];
    const done = await world.app.services.database.transaction(async (tx) => {
      const result = await first(tx);
      const other = second();
      others.push(other);
      await Promise.race([other, sleep(HEAD_START_MS)]);
      return result;
    });
    return [done, defined(await others[0])] as const;
  }

  const targets = async (id: string): Promise<string[]> =>
    assertStatus(await ada.client.get(`/documents/${id}/relations?direction=outgoing`), 200).data.map(
      ({ target_uri }: Loose) => target_uri,
    );
  const leadsTo = (source: string, uris: readonly string[]) =>
    until("the link leads there", async () => JSON.stringify(await targets(source)) === JSON.stringify(uris));

  test("WIKI6 a page whose transaction ends last is found by a link that did not see it", async () => {
    const [page, source] = await atOnce(
      (tx) => create(tx, "Later page"),
      () => make("Early link", "[[Later page]]\n"),
    );
    await leadsTo(source.id, [`svc://doc/${page}`]);
  });

  test("WIKI6 a link whose transaction ends last finds a page that did not see it", async () => {
    const [source, page] = await atOnce(
      (tx) => create(tx, "Late link", linkTo("Early page")),
      () => make("Early page"),
    );
    await leadsTo(source, [page.uri]);
  });

  test("WIKI6 a link does not go on leading to a page that went meanwhile, whichever ends last", async () => {
    const [first, second] = [await make("First"), await make("Second")];
    const [source] = await atOnce(
      (tx) => create(tx, "Link to first", linkTo("First")),
      () => ada.client.delete(`/documents/${first.id}`),
    );
    const [, other] = await atOnce(
      (tx) => remove(tx, second),
      () => make("Link to second", "[[Second]]\n"),
    );
    await leadsTo(source, []);
    await leadsTo(other.id, []);
    for (const [title, from] of [["First", source] as const, ["Second", other.id] as const])
      await leadsTo(from, [(await make(title)).uri]);
    assert.equal((await ada.client.get(`/documents/${first.id}`)).status, 404);
  });
});
