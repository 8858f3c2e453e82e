import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Tx } from "@svc/server/db/database";
import { removeMember } from "@svc/server/domain/identity/members/change-members";
import { revokeToken } from "@svc/server/domain/identity/tokens/queries";
import { assertStatus, Client } from "../support/client.ts";
import { EventReader } from "../support/event-reader.ts";
import { makeDocument, makeGroup, markdown } from "../support/fixtures.ts";
import { SECOND_SERVER, type ServerProcess, startServer } from "../support/process.ts";
import { until } from "../support/until.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

const SECRET = "wombat";
const HEARTBEAT_MS = 300;

/** One answer: when it was asked for and when it came, and whether it showed what is to be hidden. */
interface Answer {
  readonly asked: number;
  readonly came: number;
  readonly isShown: boolean;
  readonly what: string;
}

/** Asks again and again until it is stopped. */
class Asker {
  readonly answers: Answer[] = [];
  readonly #work: Promise<void>;
  #isOver = false;

  constructor(client: Client, path: string) {
    this.#work = this.#ask(client, path);
  }

  async #ask(client: Client, path: string): Promise<void> {
    while (!this.#isOver) {
      const asked = performance.now();
      const { status, text } = await client.get(path);
      const what = `${client.url}${path}: ${status} ${text}`;
      this.answers.push({ asked, came: performance.now(), isShown: status < 300 && text.includes(SECRET), what });
    }
  }

  stop(): Promise<void> {
    this.#isOver = true;
    return this.#work;
  }
}

/** As if there were one store: shown until some moment within the revocation, and never after it. */
function checkOrder(answers: readonly Answer[], sent: number, acknowledged: number): void {
  const wrong = answers.filter(({ isShown, came, asked }) => (isShown ? asked > acknowledged : came < sent));
  assert.deepEqual(wrong, []);
  const firstHidden = Math.min(...answers.filter(({ isShown }) => !isShown).map(({ came }) => came));
  const shownAgain = answers.filter(({ isShown, asked }) => isShown && asked > firstHidden);
  assert.deepEqual(shownAgain, [], "shown again after it was hidden");
}

onEachDatabase(
  "rights that are taken away, with two processes",
  (world) => {
    let ada: Person;
    let other: ServerProcess;
    before(async () => {
      ada = await world.person();
      other = await startServer(world.settings, SECOND_SERVER);
    });
    after(() => other.stop());

    /** A document that Eve sees by way of a group. */
    async function makeScene() {
      const eve = await world.person({ workspace: ada.workspaceId, role: "viewer" });
      const document = await makeDocument(ada.client, { title: SECRET, text: `${SECRET}\n` });
      const group = await makeGroup(ada.client);
      const access = `/knowledge-bases/${document.knowledge_base_id}/access`;
      assertStatus(await ada.client.put(`/groups/${group.id}/members/${eve.userId}`), 200);
      const groups = [{ group_id: group.id, role: "viewer" }];
      const hidden = { default_role: "none", members: [], groups };
      assertStatus(await ada.client.put(access, hidden, { ifMatch: "*" }), 200);
      return { eve, document, group, access };
    }
    type Scene = Awaited<ReturnType<typeof makeScene>>;

    const write = (work: (tx: Tx) => Promise<unknown>) => world.app.services.database.transaction(work);
    const ways: Record<string, (scene: Scene) => Promise<unknown>> = {
      "a role in the knowledge base": ({ access }) =>
        ada.client.put(access, { default_role: "none", members: [], groups: [] }, { ifMatch: "*" }),
      "a place in a group": ({ group, eve }) => ada.client.delete(`/groups/${group.id}/members/${eve.userId}`),
      "a group": ({ group }) => ada.client.delete(`/groups/${group.id}`),
      "a token": ({ eve }) => write((tx) => revokeToken(tx, eve.tokenId, Date.now())),
      "a membership": ({ eve }) => write((tx) => removeMember(tx, ada.workspaceId, eve.userId, Date.now())),
    };

    for (const [what, revoke] of Object.entries(ways))
      test(`no request after ${what} was taken away shows what it gave access to`, async () => {
        const scene = await makeScene();
        const { eve, document } = scene;
        const urls = [world.url, other.url];
        const paths = [
          `/documents/${document.id}/content?format=markdown`,
          `/documents?knowledge_base_id=${document.knowledge_base_id}`,
          `/search/v2?q=${SECRET}`,
          "/changes?after=0",
        ];
        const readers = await Promise.all(urls.map((url) => EventReader.open(url, eve.token)));
        const controls = await Promise.all(urls.map((url) => EventReader.open(url, ada.token)));
        const askers = urls.flatMap((url) => paths.map((path) => new Asker(new Client(url, eve.token), path)));
        await until("everything is shown", () => askers.every(({ answers }) => answers.some((one) => one.isShown)));
        const sent = performance.now();
        await revoke(scene);
        const acknowledged = performance.now();
        const isAsked = ({ answers }: Asker) => answers.some(({ asked }) => asked > acknowledged);
        await until("each has asked again", () => askers.every(isAsked));
        await Promise.all(askers.map((asker) => asker.stop()));
        checkOrder(
          askers.flatMap(({ answers }) => answers),
          sent,
          acknowledged,
        );
        await checkStreams(scene, readers, controls);
      });

    /** Events more than one heartbeat later are not sent to people who may no longer see them. */
    async function checkStreams({ document }: Scene, readers: EventReader[], controls: EventReader[]): Promise<void> {
      await Promise.all(readers.map(beat));
      assertStatus(
        await ada.client.put(`/documents/${document.id}/content`, markdown("Later.\n"), { ifMatch: "*" }),
        200,
      );
      const isTold = ({ events }: EventReader) =>
        events.some(({ type, data }) => type === "document.content.updated" && data.document_id === document.id);
      await until("those who may are told", () => controls.every(isTold));
      await Promise.all(readers.map(beat));
      assert.deepEqual(readers.map(isTold), [false, false]);
      for (const reader of [...readers, ...controls]) reader.close();
    }

    /** Until two more heartbeats have come, or the stream is over. */
    async function beat(reader: EventReader): Promise<void> {
      const before = reader.comments.length;
      let isOver = false;
      void reader.ended.then(() => {
        isOver = true;
      });
      await until("two heartbeats", () => isOver || reader.comments.length >= before + 2);
    }
  },
  { SVC_EVENT_HEARTBEAT_MS: String(HEARTBEAT_MS) },
);
