import { before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { defined } from "@svc/document/defined";
import { p } from "@svc/document/testing/builders";
import { MINUTE_MS } from "@svc/server/time";
import { makeBody, readNodes } from "../../support/bodies.ts";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeSuggestion } from "../../support/fixtures.ts";
import { HistoryModel } from "../../support/history-model.ts";
import { addBlock, editorsIn, type } from "../../support/live-editor.ts";
import { fromEnvironment, pick, seeded } from "../../support/random.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const STEPS = fromEnvironment("SVC_TEST_STEPS", 40);
const SEED = fromEnvironment("SVC_TEST_SEED", Date.now() % 100_000);
const AGENT = "doc-bot/2.0";

onEachDatabase("history of random edits", (world) => {
  let ada: Person;
  let bob: Person;
  before(async () => {
    ada = await world.person();
    bob = await world.person({ workspace: ada.workspaceId });
  });
  const { open } = editorsIn(world);
  const person = (user: Person) => ({ user_id: user.userId, client: null, agent: false, accepted_by: null });
  const agent = (user: Person) => ({ user_id: user.userId, client: "doc-bot", agent: true, accepted_by: null });

  test(`HIST11 random edits by people, agents and suggestions make the versions and authors of a naive replay (seed ${SEED})`, async () => {
    const random = seeded(SEED);
    const { id } = await makeBody(ada.client, [p("One."), p("Two."), p("Three.")]);
    const [first] = (await ada.client.get(`/documents/${id}/history`)).data;
    const model = new HistoryModel(ada.client, id);
    const { user_id, client, agent: isAgent } = first.by[0];
    await model.note("write", { user_id, client, agent: isAgent, accepted_by: null });
    const editors = [await open(ada, id), await open(bob, id)];
    const people = [ada, bob];
    let count = 0;
    const text = () => ` ${pick(random, ["red", "green", "blue"])} ${++count}`;
    const some = async () => pick(random, (await readNodes(ada.client, id)).nodes).attrs.id;
    const isInBody = (typed: string) =>
      until("what was typed is in the body", async () =>
        JSON.stringify((await readNodes(ada.client, id)).nodes).includes(`${typed}`),
      );
    const follow = () =>
      until("the editors show the body", async () => {
        const { nodes } = await readNodes(ada.client, id);
        return editors.every(({ live }) => isDeepStrictEqual(JSON.parse(JSON.stringify(live.blocks)), nodes));
      });
    const call = async (user: Person, method: string, path: string, body?: unknown) =>
      user.client.call(method, `/documents/${id}${path}`, body, { ifMatch: "*", headers: { "user-agent": AGENT } });
    const steps: (() => Promise<void>)[] = [
      async () => {
        const at = random(2);
        const editor = defined(editors[at]);
        const typed = text();
        type(editor, random(editor.live.order.length), typed);
        await isInBody(typed);
        await model.note("session", person(defined(people[at])));
      },
      async () => {
        const at = random(2);
        const editor = defined(editors[at]);
        const typed = text();
        addBlock(editor, typed);
        await isInBody(typed);
        await model.note("session", person(defined(people[at])));
      },
      async () => {
        const user = pick(random, people);
        assertStatus(await call(user, "PATCH", `/blocks/${await some()}`, { node: p(text()) }), 200);
        await model.note("write", agent(user));
      },
      async () => {
        const user = pick(random, people);
        const body = { position: { after_block_id: await some() }, nodes: [p(text())] };
        assertStatus(await call(user, "POST", "/blocks", body), 201);
        await model.note("write", agent(user));
      },
      async () => {
        if ((await readNodes(ada.client, id)).nodes.length < 3) return;
        assertStatus(await call(bob, "DELETE", `/blocks/${await some()}`), 200);
        await model.note("write", agent(bob));
      },
      async () => {
        const operations = [{ op: "replace", block_id: await some(), node: p(text()) }];
        const suggestion = await makeSuggestion(bob.client, { document_id: id, operations });
        const { etag } = await ada.client.get(`/suggestions/${suggestion.id}`);
        assertStatus(
          await ada.client.post(`/suggestions/${suggestion.id}/accept`, {}, { ifMatch: defined(etag) }),
          200,
        );
        const { author } = suggestion;
        const writer = { user_id: author.user_id, client: author.name, agent: author.agent, accepted_by: ada.userId };
        await model.note("suggestion", writer);
      },
      async () => {
        const states: Loose[] = (await ada.client.get(`/documents/${id}/history?limit=100`)).data;
        assertStatus(await call(ada, "POST", `/history/${pick(random, states).id}/restore`), 200);
        await model.note("restore", agent(ada));
      },
      async () => {
        await world.app.services.database.transaction((tx) =>
          tx
            .updateTable("history_states")
            .set((eb) => ({ ended_at: eb("ended_at", "-", 11 * MINUTE_MS) }))
            .where("document_id", "=", id)
            .execute(),
        );
        model.pause();
      },
    ];
    for (let i = 0; i < STEPS; i++) {
      // People type more often than anything else happens.
      await defined(steps[random(2) === 0 ? random(2) : random(steps.length)])();
      await follow();
      if (i % 8 === 0) await model.check();
    }
    await model.check();
  });
});
