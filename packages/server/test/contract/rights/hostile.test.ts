import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { checkReply } from "../../support/hostile/check-reply.ts";
import { missingLike, withId } from "../../support/hostile/id-positions.ts";
import { comparable, type Probe, probesOf, settledRows, ULID } from "../../support/hostile/probes.ts";
import { Scene } from "../../support/hostile/scene.ts";
import { type Reply, sendWire, toWire } from "../../support/hostile/send-call.ts";
import { roomySettings, translator } from "../../support/hostile/translator.ts";
import { type Call, Valid } from "../../support/hostile/valid.ts";
import { makePrivate } from "../../support/make-private.ts";
import { seeded } from "../../support/random.ts";
import { workspaceRows } from "../../support/workspace-rows.ts";
import { onEachDatabase } from "../../support/world.ts";

const provider = await translator();
after(() => provider[Symbol.asyncDispose]());

/** People, groups and tokens belong to the workspace: every member may know of them. */
const OF_WORKSPACE = /^(user|tok|grp|ws)_/;
const isOfWorkspace = ({ operation, position, theirs }: Probe): boolean =>
  /^\/(groups|members)\//.test(operation.path) ||
  ["user_id", "group_id", "token_id"].includes(position.name) ||
  OF_WORKSPACE.test(String(theirs));

/** Tables that say something of the whole workspace, or are written anew in the background. */
const SHARED =
  /^(workspaces|workspace_counters|search_\w+|tokens|leases|jobs|audit_log|idempotency_keys|translation_usage|ask_usage)$/;

/** Rows of before that are no longer there, or are others now. */
function changedRows(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const changed: string[] = [];
  for (const [table, text] of before) {
    if (SHARED.test(table)) continue;
    const rows = new Set((now.get(table) ?? "").split("\n"));
    for (const row of text.split("\n").filter(Boolean))
      if (!rows.has(row)) changed.push(`${table}: ${row.slice(0, 300)}`);
  }
  return changed;
}

onEachDatabase(
  "a private knowledge base and an editor of the same workspace",
  (world) => {
    let ada: Scene;
    let bob: Scene;
    let probes: Probe[];
    let rows: Map<string, string>;
    let hidden: Set<string>;
    before(async () => {
      ada = await Scene.make(world);
      const { workspaceId } = ada.person;
      probes = (await probesOf(ada)).filter((probe) => !isOfWorkspace(probe));
      await settledRows(world, workspaceId);
      await makePrivate(world, workspaceId);
      rows = await settledRows(world, workspaceId);
      const ids = [...rows.values()].flatMap((text) => text.match(ULID) ?? []);
      hidden = new Set(ids.filter((id) => !OF_WORKSPACE.test(id)));
      bob = await Scene.make(world, ada.person);
    });

    const send = async (call: Call): Promise<Reply> => {
      const wire = await toWire(call);
      const reply = await sendWire(world.url, bob.person.token, wire);
      checkReply(wire, reply);
      const sent = wire.target + (wire.body ?? "");
      const leaked = (reply.text.match(ULID) ?? []).filter((id) => hidden.has(id) && !sent.includes(id));
      assert.deepEqual(leaked, [], `${call.operation.name} tells what is hidden: ${reply.text}`);
      return reply;
    };

    test("RIGHT5 an id of what is hidden, wherever it stands, is answered like one that does not exist", async () => {
      const told: string[] = [];
      let reached = 0;
      for (const { operation, position, theirs } of probes) {
        const own = await new Valid(bob, seeded(1), [position.name]).call(operation);
        const missing = missingLike(theirs);
        const answers = [await send(withId(own, position, theirs)), await send(withId(own, position, missing))];
        const [one, other] = [comparable(defined(answers[0]), theirs), comparable(defined(answers[1]), missing)];
        if (one !== other) told.push(`${operation.name} ${position.part} ${position.name}:\n${one}\n${other}`);
        if ((await send(own)).status < 300) reached++;
      }
      assert.deepEqual(told, [], "answers that tell whether something hidden exists");
      const now = await workspaceRows(world.app.services.database, ada.person.workspaceId);
      assert.deepEqual(changedRows(rows, now), [], "rows of what is hidden");
      assert.ok(reached > 0.9 * probes.length, `${reached} of ${probes.length} succeed with ids of one's own`);
    });
  },
  roomySettings(provider),
);
