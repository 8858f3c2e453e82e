import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { assertError, type Loose } from "../../support/client.ts";
import { checkReply } from "../../support/hostile/check-reply.ts";
import { type Operation, operations } from "../../support/hostile/description.ts";
import { missingLike, withId } from "../../support/hostile/id-positions.ts";
import { comparable, guarded, type Probe, probesOf, settledRows, ULID } from "../../support/hostile/probes.ts";
import { Scene } from "../../support/hostile/scene.ts";
import { type Reply, sendWire, toWire } from "../../support/hostile/send-call.ts";
import { roomySettings, translator } from "../../support/hostile/translator.ts";
import { type Call, Valid } from "../../support/hostile/valid.ts";
import { seeded } from "../../support/random.ts";
import { differentRows, workspaceRows } from "../../support/workspace-rows.ts";
import { onEachDatabase } from "../../support/world.ts";

/** Each request tries one in this many kinds of ids; the next request tries others. */
const SHARE = 3;

const provider = await translator();
after(() => provider[Symbol.asyncDispose]());

onEachDatabase(
  "two workspaces",
  (world) => {
    let ada: Scene;
    let bob: Scene;
    let probes: Probe[];
    let rows: Map<string, string>;
    let adaIds: Set<string>;
    before(async () => {
      ada = await Scene.make(world);
      bob = await Scene.make(world);
      probes = await probesOf(ada);
      rows = await settledRows(world, ada.person.workspaceId);
      adaIds = new Set([...rows.values()].flatMap((text) => text.match(ULID) ?? []));
    });

    const send = async (call: Call, headers: Record<string, string> = {}): Promise<Reply> => {
      const wire = await toWire({ ...call, headers: { ...call.headers, ...headers } });
      const reply = await sendWire(world.url, bob.person.token, wire);
      checkReply(wire, reply);
      const sent = wire.target + (wire.body ?? "");
      const leaked = (reply.text.match(ULID) ?? []).filter((id) => adaIds.has(id) && !sent.includes(id));
      assert.deepEqual(leaked, [], `${call.operation.name} tells of another workspace: ${reply.text}`);
      return reply;
    };

    test("HOST8 an id of another workspace, wherever it stands, is answered like one that does not exist", async () => {
      const unreached: string[] = [];
      const told: string[] = [];
      for (const { operation, position, theirs } of probes) {
        const own = await new Valid(bob, seeded(1), [position.name]).call(operation);
        const where = `${operation.name} ${position.part} ${position.name}`;
        const missing = missingLike(theirs);
        const answers = [await send(withId(own, position, theirs)), await send(withId(own, position, missing))];
        const [one, other] = [comparable(defined(answers[0]), theirs), comparable(defined(answers[1]), missing)];
        if (one !== other) told.push(`${where}:\n${one}\n${other}`);
        const reply = await send(own);
        // Both are said only when the ids were found: of a suggestion that changes nothing, and of access that has one person twice.
        const isReached = reply.status < 300 || /proposes no change|names somebody twice/.test(reply.text);
        if (!isReached) unreached.push(`${where}: ${reply.status} ${reply.text} ${JSON.stringify(own.body)}`);
      }
      assert.deepEqual(told, [], "answers that tell whether an id exists elsewhere");
      const now = await workspaceRows(world.app.services.database, ada.person.workspaceId);
      assert.deepEqual(differentRows(rows, now), [], "rows of the other workspace");
      assert.deepEqual(unreached, [], "requests that are refused also with ids of one's own prove nothing");
    });

    test("HOST8 nor does an id of any other kind open anything there", async () => {
      const kinds = [...Map.groupBy(adaIds, (id) => id.split("_")[0]).values()].map(([first]) => defined(first));
      assert.ok(kinds.length >= 15, `${kinds.length} kinds of ids`);
      const told: string[] = [];
      for (const [turn, { operation, position, theirs }] of probes.entries()) {
        const own = await new Valid(bob, seeded(1), [position.name]).call(operation);
        const ask = async (id: string) => {
          const value = Array.isArray(theirs) ? [id] : position.name.endsWith("_uri") ? `svc://doc/${id}` : id;
          return comparable(await send(withId(own, position, value)), id);
        };
        for (const id of kinds.filter((_, kind) => kind % SHARE === turn % SHARE)) {
          const answers = await Promise.all([ask(id), ask(String(missingLike(id)))]);
          if (new Set(answers).size > 1) told.push(`${operation.name} ${position.name}:\n${answers.join("\n")}`);
        }
      }
      assert.deepEqual(told, [], "answers that tell whether an id exists elsewhere");
      const now = await workspaceRows(world.app.services.database, ada.person.workspaceId);
      assert.deepEqual(differentRows(rows, now), [], "rows of the other workspace");
    });

    test("HOST10 a cursor of another workspace opens nothing of it", async () => {
      let tried = 0;
      for (const operation of guarded) {
        const name = operation.query.map(({ name }) => name).find((name) => ["cursor", "after"].includes(name));
        const place = name && (await new Valid(ada, seeded(2), ["limit"]).call(operation));
        if (!place || !name) continue;
        const wire = await toWire({ ...place, query: { ...place.query, ...("limit" in place.query && { limit: 1 }) } });
        const theirs = cursorOf((await sendWire(world.url, ada.person.token, wire)).json);
        if (theirs === undefined) continue;
        const own = await new Valid(bob, seeded(2), ["limit"]).call(operation);
        await send({ ...own, query: { ...own.query, [name]: theirs } });
        tried++;
      }
      assert.ok(tried >= 8, `only ${tried} cursors`);
    });

    test("HOST11 an idempotency key of another workspace is one's own", async () => {
      const keyed = guarded.filter(({ method, multipart }) => method === "POST" && !multipart);
      for (const operation of keyed.filter((_, index) => index % 3 === 0)) {
        const headers = { "idempotency-key": `shared-${operation.name}` };
        const theirs = await toWire(await new Valid(ada, seeded(3)).call(operation));
        await sendWire(world.url, ada.person.token, { ...theirs, headers: { ...theirs.headers, ...headers } });
        const reply = await send(await new Valid(bob, seeded(3)).call(operation), headers);
        assert.equal(reply.headers["idempotency-replayed"], undefined, operation.name);
        assert.notEqual(reply.json?.error?.code, "idempotency_conflict", operation.name);
      }
    });

    test("HOST13 an id with NUL or half a character in it is refused wherever it stands", async () => {
      for (const { operation, position, theirs } of probes) {
        if (position.part === "path") continue;
        const own = await new Valid(bob, seeded(1), [position.name]).call(operation);
        for (const text of ["a\0b", "\ud800"]) {
          const id = Array.isArray(theirs) ? [text] : text;
          const { status } = await send(withId(own, position, position.part === "query" ? "a\0b" : id));
          assert.ok(status >= 400, `${operation.name} ${position.name}`);
        }
      }
      const { path } = await bob.place(operationNamed("put_content"));
      const image = { type: "image", attrs: { attachmentId: "a\0b" } };
      const body = { format: "tiptap-json", document: { type: "doc", content: [image] } };
      assertError(await bob.client.put(path, body, { ifMatch: "*" }), "attachment_not_found");
    });

    test("HOST12 a body that names things of another workspace is taken or refused as if they were not there", async () => {
      const { document, attachment } = ada;
      const nodes = (id: string, file: string) => [
        [{ type: "image", attrs: { attachmentId: file } }],
        [{ type: "paragraph", content: [linked(`svc://doc/${id}`)] }],
        [{ type: "paragraph", content: [linked(`svc://docset/${ada.set.id.replace(document.id, id)}`)] }],
      ];
      const seen = async (id: string, file: string): Promise<string> => {
        const texts: string[] = [];
        for (const content of nodes(id, file)) {
          const own = await bob.place(operationNamed("put_content"));
          const body = { format: "tiptap-json", document: { type: "doc", content } };
          texts.push((await bob.client.put(own.path, body, { ifMatch: "*" })).text);
          texts.push((await bob.client.get(`/documents/${own.documentId}/relations`)).text);
        }
        return texts.join("\n").replaceAll(id, "<id>").replaceAll(file, "<file>");
      };
      const theirs = await seen(document.id, attachment.id);
      const missing = await seen(String(missingLike(document.id)), String(missingLike(attachment.id)));
      const plain = (text: string) => comparable({ status: 0, text } as Reply, "-");
      assert.equal(plain(theirs), plain(missing));
    });
  },
  roomySettings(provider),
);

/** The cursor of the next page, in whatever form the operation returns it. */
const cursorOf = (json: Loose): string | undefined =>
  json?.page?.next_cursor ?? json?.data?.next_cursor ?? json?.data?.cursor ?? json?.resume_from?.toString();

const operationNamed = (name: string): Operation => defined(operations.find((operation) => operation.name === name));

const linked = (href: string) => ({ type: "text", text: "there", marks: [{ type: "link", attrs: { href } }] });
