import assert from "node:assert/strict";
import { once } from "node:events";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import { validateBody } from "@svc/document/schema/validate";
import { p } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { packFrame, type StateHeader, unpackFrame } from "@svc/live/frames";
import { LiveState } from "@svc/live/live-state";
import type { LiveSession } from "@svc/live/session";
import { sameBlocks } from "@svc/live/testing/plain";
import { makeRandom } from "@svc/live/testing/random";
import { newBlockId } from "@svc/server/ids";
import type WebSocket from "ws";
import * as Y from "yjs";
import { makeBody, readNodes } from "../support/bodies.ts";
import { editorsIn, fetchState, isSaved, openSocket, type Seat, type } from "../support/live-editor.ts";
import { until } from "../support/until.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

const SEED = Number(process.env.SVC_TEST_SEED ?? 11);
/** Updates with flipped bits and random bytes; ten thousand take some minutes. */
const DAMAGED = Number(process.env.SVC_TEST_DAMAGED ?? 40);

/** An attacker's open socket with its client id and the document. */
interface Attacker {
  readonly socket: WebSocket;
  readonly client: number;
  readonly live: LiveState;
}

/** Encodes a change of the attacker's copy as an update. */
function updateOf({ live, client }: Attacker, change: (blocks: Y.Map<unknown>) => void, as = client): Uint8Array {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(live.doc));
  const known = Y.encodeStateVector(doc);
  doc.clientID = as;
  change(doc.getMap("blocks"));
  return Y.encodeStateAsUpdate(doc, known);
}

const paragraph = (text: string): Y.XmlElement => {
  const element = new Y.XmlElement("paragraph");
  element.insert(0, [new Y.XmlText(text)]);
  return element;
};

/** Puts in blocks in blocks in blocks. */
const putNested = (depth: number) => (blocks: Y.Map<unknown>) => {
  defined(blocks.doc).transact(() => {
    let inner = new Y.XmlElement("blockquote");
    blocks.set(newBlockId(), inner);
    for (let i = 0; i < depth; i++) {
      const next = new Y.XmlElement("blockquote");
      inner.insert(0, [next]);
      inner = next;
    }
  });
};

const framed = (update: Uint8Array) => packFrame({ n: 1, place: null }, update);
const put = (value: unknown) => (blocks: Y.Map<unknown>) => void blocks.set(newBlockId(), value);

/** The second of two changes without the first. */
function withGap(attacker: Attacker): Uint8Array {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(attacker.live.doc));
  doc.clientID = attacker.client;
  put(paragraph("one"))(doc.getMap("blocks"));
  const known = Y.encodeStateVector(doc);
  put(paragraph("two"))(doc.getMap("blocks"));
  return Y.encodeStateAsUpdate(doc, known);
}

/** A change behind something that nobody has sent. */
function withUnknownNeighbour({ live, client }: Attacker): Uint8Array {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(live.doc));
  doc.clientID = 999_999;
  const text = defined((doc.getMap("blocks").get(defined(live.order[0])) as Y.XmlElement).get(0)) as Y.XmlText;
  text.insert(0, "foreign");
  const known = Y.encodeStateVector(doc);
  doc.clientID = client;
  text.insert(3, "mine");
  return Y.encodeStateAsUpdate(doc, known);
}

type Attack = (attacker: Attacker) => string | Uint8Array;
const attacks: Readonly<Record<string, Attack>> = {
  "no frame": () => new Uint8Array([1, 2, 3]),
  "no JSON": () => "{",
  "a frame with no update": () => framed(new Uint8Array([255, 255, 255])),
  "an unknown message": () => '{"type":"saved","seq":1}',
  "JSON that is a list in a list": () => "[".repeat(100_000) + "]".repeat(100_000),
  "a frame without a part": () => packFrame({ n: 1 }),
  "a frame with two parts": (own) =>
    packFrame({ n: 1 }, updateOf(own, put(paragraph("x"))), updateOf(own, put(paragraph("y")))),
  "a number that is none": (own) => packFrame({ n: "1" }, updateOf(own, put(paragraph("x")))),
  "another client's name": (own) => framed(updateOf(own, put(paragraph("x")), 1)),
  "the name of somebody to come": (own) => framed(updateOf(own, put(paragraph("x")), own.client + 1)),
  "a gap": (own) => framed(withGap(own)),
  "a neighbour that nobody sent": (own) => framed(withUnknownNeighbour(own)),
  "another root": (own) => framed(updateOf(own, (blocks) => void defined(blocks.doc).getMap("other").set("x", 1))),
  "a root that is a list": (own) =>
    framed(
      updateOf(
        own,
        (blocks) =>
          void defined(blocks.doc)
            .getXmlFragment("other")
            .insert(0, [paragraph("x")]),
      ),
    ),
  "bytes as a block": (own) => framed(updateOf(own, put(new Uint8Array(10)))),
  "a document as a block": (own) => framed(updateOf(own, put(new Y.Doc()))),
  "a map as a block": (own) => framed(updateOf(own, put(new Y.Map()))),
  "a block in ten thousand others": (own) => framed(updateOf(own, putNested(10_000))),
  "a hook as a block": (own) => framed(updateOf(own, put(new Y.XmlHook("x")))),
  "a name of a thousand letters": (own) =>
    framed(updateOf(own, (blocks) => void blocks.set("x".repeat(1000), paragraph("x")))),
  "collected structs of 2^40": () => framed(new Uint8Array([1, 1, 9, 0, 0, 255, 255, 255, 255, 15, 0])),
  "deletions of what nobody made": () => framed(new Uint8Array([0, 1, 1, 1, 200, 1, 5])),
  "an update that is too long": (own) => framed(updateOf(own, put(paragraph("x".repeat(300_000))))),
  "a frame that is too long": () => framed(new Uint8Array(600_000)),
};

onEachDatabase("live documents and hostile clients", (world) => {
  let ada: Person;
  let bob: Person;
  before(async () => {
    ada = await world.person();
    bob = await world.person({ workspace: ada.workspaceId, role: "editor" });
  });
  const { open, seatOf } = editorsIn(world);

  /** A document with somebody in it who must never notice anything. */
  async function openVictim(): Promise<{ id: string; victim: LiveSession; lost: () => number }> {
    const { id } = await makeBody(ada.client, [p("One."), p("Two.")]);
    let lost = 0;
    const victim = await open(ada, id, {
      onStatus: ({ kind }) => {
        if (kind === "offline" || kind === "refused") lost++;
      },
    });
    return { id, victim, lost: () => lost };
  }

  async function attackerOf(seat: Seat): Promise<Attacker> {
    const frame = defined(unpackFrame(await fetchState(seat)));
    const { epoch, seq } = frame.header as StateHeader;
    const socket = openSocket(seat, `epoch=${epoch}&seq=${seq}`);
    const [hello] = await once(socket, "message");
    return { socket, client: JSON.parse(hello.toString()).client, live: LiveState.fromUpdates(frame.parts) };
  }

  async function assertUnharmed(id: string, victim: LiveSession, lost: number): Promise<Node[]> {
    type(victim, 0, " Still here.");
    await isSaved(victim);
    await until("the victim shows the body", async () =>
      sameBlocks(victim.live.blocks, (await readNodes(ada.client, id)).nodes),
    );
    const { nodes } = await readNodes(ada.client, id);
    validateBody({ type: "doc", content: nodes }, { maxCharacters: 1e9 });
    assert.equal(lost, 0, "the victim's socket was closed");
    return nodes;
  }

  test("LIVE10 every kind of bad frame closes its own socket and has no other effect", async () => {
    const { id, victim, lost } = await openVictim();
    const seat = await seatOf(bob, id);
    for (const [what, attack] of Object.entries(attacks)) {
      const attacker = await attackerOf(seat);
      const closed = once(attacker.socket, "close");
      attacker.socket.send(attack(attacker));
      const [code] = await closed;
      assert.equal(code, what === "a frame that is too long" ? 1009 : 4400, what);
    }
    const nodes = await assertUnharmed(id, victim, lost());
    assert.equal(nodes.length, 2, "nothing of it is stored");
  });

  test("LIVE10 more frames than anybody types close their socket, before and after it was let in", async () => {
    const { id, victim, lost } = await openVictim();
    const seat = await seatOf(bob, id);
    const place = JSON.stringify({ type: "place", place: null });
    const attacker = await attackerOf(seat);
    const early = openSocket(seat, `epoch=${victim.epoch}&seq=0`);
    early.on("open", () => {
      for (let i = 0; i < 1000; i++) early.send(place);
    });
    for (let i = 0; i < 1000; i++) attacker.socket.send(place);
    const codes = await Promise.all([once(attacker.socket, "close"), once(early, "close")]);
    assert.deepEqual(
      codes.map(([code]) => code),
      [4429, 4429],
    );
    await assertUnharmed(id, victim, lost());
  });

  test("LIVE10 LIVE11 damaged updates, and well-formed ones with impossible blocks, harm nobody", async () => {
    const { id, victim, lost } = await openVictim();
    const seat = await seatOf(bob, id);
    const random = makeRandom(SEED);
    let attacker = await attackerOf(seat);
    for (let i = 0; i < DAMAGED; i++) {
      if (attacker.socket.readyState !== attacker.socket.OPEN) attacker = await attackerOf(seat);
      const update = updateOf(attacker, i === 0 ? putNested(90) : put(paragraph("attacker")));
      if (i % 4 === 3) for (const at of update.keys()) update[at] = random.below(256);
      else if (i > 0) update[random.below(update.length)]! ^= 1 << random.below(8);
      attacker.socket.send(framed(update));
      // Stored or refused: something comes back either way.
      await Promise.race([once(attacker.socket, "message"), once(attacker.socket, "close")]);
    }
    attacker.socket.terminate();
    const nodes = await assertUnharmed(id, victim, lost());
    const ids = nodes.map(idOf);
    assert.equal(new Set(ids).size, ids.length);
  });
});
