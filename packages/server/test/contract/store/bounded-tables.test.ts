import assert from "node:assert/strict";
import { test } from "node:test";
import { anyTable } from "@svc/server/db/any-table";
import type { Database } from "@svc/server/db/database";
import type { Tables } from "@svc/server/db/schema/tables";
import { COUNTED } from "@svc/server/domain/library/quotas/row-quota";
import { ownedTableNames } from "@svc/server/domain/lifecycle/trash/owned-tables";
import { removeBeyond } from "@svc/server/events/retention";
import { limitTrash } from "@svc/server/operation/limit-trash";
import { applyRowLimits, ROW_LIMITS } from "@svc/server/operation/row-limits";
import type { TableMetadata } from "kysely";
import { png } from "../../support/attachments.ts";
import { assertError, assertStatus, type Client, type Loose, type Reply } from "../../support/client.ts";
import {
  makeConcept,
  makeDocument,
  makeKnowledgeBase,
  makeRelation,
  upload,
  uploadForm,
} from "../../support/fixtures.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

type Table = keyof Tables;

/** The limit that keeps each of the other tables small, whatever callers do. */
const otherwise: Partial<Record<Table, string>> = {
  server_state: "a few rows of the server's own",
  processes: "one for each process",
  leases: "one for each thing that a process does",
  event_streams: "SVC_SSE_MAX_CONNECTIONS_PER_TOKEN",
  users: "one for each invitation that was accepted",
  workspaces: "SVC_MAX_WORKSPACES_PER_USER",
  workspace_counters: "one for each workspace",
  watch_positions: "one for each workspace",
  file_texts: "one for each attachment",
  file_text_pages: "4,000,000 characters for each attachment (file-text/limits.ts)",
  search_counters: "two for each workspace",
  translation_usage: "one for each workspace and day",
  ask_usage: "one for each workspace and day",
  memberships: "one for each invitation that was accepted",
  group_members: "each member once in each group",
  base_roles: "each group and member once for each knowledge base",
  sibling_places: "one for each folder and document, and for each folder in the trash",
  former_roles: "each role of a knowledge base that was deleted, removed by the sweep when its events are",
  sign_in_addresses: "20 for each person",
  password_resets: "one for each person",
  email_proofs: "one for each person",
  identities: "one for each person and provider that the operator names",
  claimed_groups: "each member once in each group",
  totp_factors: "one for each person",
  recovery_codes: "a set for each person, replaced as a whole",
  passkeys: "20 for each person (domain/identity/factors/passkeys.ts)",
  spent_tickets: "one for each sign-in that is under way, removed by the sweep",
  notifications: "1,000 for each person (notify/queries.ts)",
  notification_settings: "one for each member",
  pictures: "one for each person, 256 KB",
  remote_pictures: "100,000 and 1 GiB, beyond which the sweep removes the longest unused",
  oauth_clients: "20 for each address and hour, removed after a week without use",
  oauth_grants: "goes with its token",
  attempts: "slows its subject down, and is removed by the sweep",
  rate_windows: "one for each caller and window, removed by the sweep",
  knowledge_bases: "SVC_MAX_KNOWLEDGE_BASES",
  folders: "SVC_MAX_FOLDERS",
  documents: "SVC_MAX_DOCUMENTS",
  public_shares: "one for each document and folder",
  purges: "one for each deleted document until that is removed",
  events: "SVC_MAX_EVENTS",
  trash: "SVC_MAX_TRASH_DOCUMENTS",
  trash_items: "go with their entry of the trash",
  webhooks: "SVC_MAX_WEBHOOKS",
  webhook_deliveries: "1000 that wait for each webhook; the others are removed after their time",
  search_documents: "one for each document and attachment",
  search_hidden: "documents that are being indexed or removed",
  search_blocks: "SVC_MAX_DOCUMENT_CHARACTERS",
  search_segments: "made of the blocks, and merged",
  search_pages: "of the segments",
};

onEachDatabase(
  "tables that callers can grow",
  (world) => {
    const databaseOf = (): Database => world.app.services.database;

    test("SWEEP2 every table has a bound, a quota, or something that it goes with", async () => {
      const bounded: readonly string[] = [
        ...ROW_LIMITS.map(({ table }) => table),
        ...Object.keys(COUNTED),
        ...ownedTableNames,
        ...Object.keys(otherwise),
      ];
      const tables = (await databaseOf().tables()).map(({ name }) => name);
      assert.deepEqual(
        tables.filter((name) => !bounded.includes(name)),
        [],
        "a new table: bound it in operation/row-limits.ts or domain/library/quotas/row-quota.ts, or say here what does",
      );
      assert.deepEqual(
        bounded.filter((name) => !tables.includes(name)),
        [],
        "a table that is no more",
      );
      for (const { table, most } of ROW_LIMITS) assert.ok(most(world.app.services.config) <= 1_000_000, table);
    });

    for (const bound of ROW_LIMITS)
      test(`SWEEP2 of ${bound.table} the newest stay, of each owner by itself`, async () => {
        const owners = [await world.person(), await world.person()] as const;
        const table = (await databaseOf().tables()).find(({ name }) => name === bound.table);
        assert.ok(table, bound.table);
        const made = owners.map((owner, i) =>
          Array.from({ length: i === 0 ? 8 : 3 }, (_, n) => rowOf(table, bound, owner, i * 1000 + n)),
        );
        for (const rows of made)
          for (const row of rows)
            await databaseOf().transaction((tx) =>
              tx
                .insertInto(bound.table as "audit_log")
                .values(row as never)
                .execute(),
            );
        const small = [{ ...bound, most: () => 5 }];
        await applyRowLimits(world.app.services, undefined, small);
        const left = async (rows: readonly Loose[]) => {
          const found: Loose[] = await databaseOf()
            .read.selectFrom(anyTable(bound.table))
            .selectAll()
            .where((eb) => eb.and(Object.fromEntries(bound.owner.map((column) => [column, rows[0][column]]))))
            .execute();
          const keys = found.map((row) => String(row[bound.key]));
          return bound.key === "id" && rows[0].id === undefined
            ? keys.length
            : rows.map((row) => keys.includes(String(row[bound.key])));
        };
        const newest = [false, false, false, true, true, true, true, true];
        const [many = [], few = []] = made;
        const kept = [await left(many), await left(few)];
        // A person who was just made has rows of their own: a token, say.
        if (typeof kept[0] === "number") assert.equal(kept[0], 5);
        else assert.deepEqual(kept, [newest, [true, true, true]]);
      });

    test("SWEEP2 of the events of a workspace the newest stay; who is behind them has to begin anew", async () => {
      const ada = await world.person();
      const { id } = await makeDocument(ada.client);
      for (let i = 0; i < 8; i++)
        assertStatus(await ada.client.patch(`/documents/${id}`, { title: `Title ${i}` }), 200);
      while (await removeBeyond(databaseOf(), 5));
      const kept = await databaseOf()
        .read.selectFrom("events")
        .select("id")
        .where("workspace_id", "=", ada.workspaceId)
        .orderBy("id")
        .execute();
      assert.deepEqual(
        kept.map((row) => row.id),
        [5, 6, 7, 8, 9],
      );
      assert.equal((await ada.client.get("/changes?after=4")).data.length, 5);
      const { sync_required, reason } = (await ada.client.get("/changes?after=3")).body;
      assert.deepEqual([sync_required, reason], [true, "cursor_expired"]);
    });
  },
  { SVC_MAX_AUDIT_ROWS: "5" },
);

/** A row of a table for one owner, with whatever fits into its columns; the later ones are newer. */
function rowOf(table: TableMetadata, bound: (typeof ROW_LIMITS)[number], owner: Person, n: number): Loose {
  const ids: Record<string, unknown> = {
    workspace_id: owner.workspaceId,
    user_id: owner.userId,
    token_id: owner.tokenId,
    created_by: owner.userId,
  };
  const row: Record<string, unknown> = {};
  for (const { name, dataType, isAutoIncrementing, isNullable } of table.columns) {
    const isText = /text|char/i.test(dataType);
    if (isAutoIncrementing || (bound.age === "id" && name === "id")) continue;
    if (name in ids) row[name] = ids[name];
    else if (bound.owner.includes(name)) row[name] = isText ? `owner of ${owner.userId}` : Math.floor(n / 1000) + 1;
    else if (name === bound.age) row[name] = 1000 + n;
    else if (name === bound.key || /hash/.test(name)) row[name] = isText ? `${name} ${owner.userId} ${n}` : n;
    else if (bound.only?.[0] === name) row[name] = onlyValue(bound.only);
    else if (!isNullable)
      row[name] = isText ? `${name} ${owner.userId} ${n}` : /blob|bytea/i.test(dataType) ? Buffer.of(1) : 0;
  }
  return row;
}

const onlyValue = ([, operator, value]: NonNullable<(typeof ROW_LIMITS)[number]["only"]>): unknown =>
  operator === "in" ? [value].flat()[0] : operator === "is not" ? 1 : "rejected";

onEachDatabase(
  "the trash",
  (world) => {
    const namesIn = async (client: Client): Promise<string[]> =>
      (await client.get("/trash")).data.map(({ name }: Loose) => name);
    const discard = async (client: Client, base: number, title: string, bytes = 0) => {
      const { id } = await makeDocument(client, { knowledge_base_id: base, title });
      if (bytes > 0) await upload(client, id, "x".repeat(bytes), `${title}.txt`);
      assertStatus(await client.delete(`/documents/${id}`), 200);
    };

    test("SWEEP3 of the documents in the trash the newest stay, and what goes is removed", async () => {
      const { client, workspaceId } = await world.person();
      const other = await world.person();
      await discard(other.client, (await makeKnowledgeBase(other.client)).id, "Other");
      const { id } = await makeKnowledgeBase(client);
      for (const title of ["One", "Two", "Three", "Four"]) await discard(client, id, title);
      assert.deepEqual(await namesIn(client), ["Four", "Three", "Two", "One"]);
      await limitTrash(world.app.services);
      assert.deepEqual(await namesIn(client), ["Four", "Three"]);
      assert.deepEqual(await namesIn(other.client), ["Other"]);
      await until("they are removed", async () => {
        const rows = world.app.services.database.read.selectFrom("trash_items").select("trash_id");
        const left = await rows.where("workspace_id", "=", workspaceId).where("position", ">", 0).execute();
        return left.length === 2;
      });
    });

    test("SWEEP3 of the files in the trash too; what can be restored has its files", async () => {
      const { client, workspaceId } = await world.person();
      const { id } = await makeKnowledgeBase(client);
      await discard(client, id, "One", 600);
      await discard(client, id, "Two", 600);
      await limitTrash(world.app.services);
      assert.deepEqual(await namesIn(client), ["Two"]);
      const [{ id: entry }] = (await client.get("/trash")).data;
      assertStatus(await client.post(`/trash/${entry}/restore`), 200);
      const files = world.app.services.database.read.selectFrom("attachments").select(["id", "file_name"]);
      const [file] = await files.where("workspace_id", "=", workspaceId).where("expires_at", "is", null).execute();
      assert.equal(file?.file_name, "Two.txt");
      assertStatus(await client.get(`/attachments/${file.id}`), 200);
    });
  },
  { SVC_MAX_TRASH_DOCUMENTS: "5", SVC_MAX_STORAGE_BYTES: "1000" },
);

onEachDatabase(
  "things without a quota of their own",
  (world) => {
    test("KB12 one more than an owner may have is 422, whatever it is", async () => {
      const { client } = await world.person();
      const document = await makeDocument(client, { text: "One.\n\nTwo.\n\nThree.\n" });
      const base = document.knowledge_base_id;
      const [block] = (await client.get(`/documents/${document.id}/blocks`)).data;
      const target = await makeDocument(client, { knowledge_base_id: base });
      const evidence = { document_id: document.id, source_version: document.version };
      const concepts: string[] = [];
      const relation = { source_document_id: document.id, source_block_id: block.id, target_uri: target.uri };
      const adding: Record<keyof typeof COUNTED, (n: number) => Promise<Reply>> = {
        concepts: async (n) => {
          const reply = await client.post("/concepts", { knowledge_base_id: base, name: `Concept ${n}` });
          if (reply.status === 201) concepts.push(reply.data.id);
          return reply;
        },
        concept_sources: async (n) => {
          const { id } = (await client.get(`/documents/${document.id}/blocks`)).data[n];
          const source = { ...evidence, block_id: id };
          return client.post(`/concepts/${concepts[0]}/sources`, source, { ifMatch: "*" });
        },
        concept_relations: (n) =>
          client.post(
            `/concepts/${concepts[0]}/relations`,
            {
              predicate: "related_to",
              target_concept_id: concepts[1],
              valid_from: 1000 * n,
              valid_to: 1000 * n + 500,
            },
            { ifMatch: "*" },
          ),
        manual_relations: () => client.post("/relations", { ...relation, predicate: "supports" }),
        attachments: (n) => client.post("/attachments", uploadForm(document.id, `${n}`)),
        member_groups: (n) => client.post("/groups", { name: `Group ${n}` }),
      };
      for (const [quota, add] of Object.entries(adding)) {
        for (let n = 0; n < 2; n++) assertStatus(await add(n), 201);
        const details = assertError(await add(2), "quota_exceeded");
        assert.deepEqual([details.quota, details.limit, details.used], [quota, 2, 2]);
      }
    });

    test("KB12 what adds nothing is not refused, and refusals come in their order", async () => {
      const { client } = await world.person();
      const document = await makeDocument(client, { text: "One.\n\nTwo.\n\nThree.\n" });
      const place = { knowledge_base_id: document.knowledge_base_id };
      const [one, other] = [await makeConcept(client, place), await makeConcept(client, place)];
      const blocks: Loose[] = (await client.get(`/documents/${document.id}/blocks`)).data;
      const evidence = { document_id: document.id, source_version: document.version };
      const any = { ifMatch: "*" };
      const add = (n: number, options = any) =>
        client.post(`/concepts/${one.id}/sources`, { ...evidence, block_id: blocks[n].id }, options);
      const relate = (n: number) => {
        const relation = { predicate: "related_to", target_concept_id: other.id, valid_from: n, valid_to: n + 1 };
        return client.post(`/concepts/${one.id}/relations`, relation, any);
      };
      for (const n of [0, 1, 0, 1]) assertStatus(await add(n), 201);
      for (const n of [0, 1, 0, 1]) assertStatus(await relate(n), 201);
      assertError(await add(2), "quota_exceeded");
      assertError(await relate(2), "quota_exceeded");
      assertError(await client.post(`/concepts/${one.id}/sources`, { ...evidence }), "precondition_required");
      assertError(await add(2, { ifMatch: "another" }), "version_conflict");
    });

    test("KB12 accepting a candidate, a merge and a section that moves bring no more than there is room for", async () => {
      const { client } = await world.person();
      const document = await makeDocument(client, { title: "Named", text: "# One\n\nTwo.\n\nThree.\n" });
      const place = { knowledge_base_id: document.knowledge_base_id };
      const blocks: Loose[] = (await client.get(`/documents/${document.id}/blocks`)).data;
      const [one, other] = [await makeConcept(client, place), await makeConcept(client, place)];
      const any = { ifMatch: "*" };
      const add = async ({ id }: Loose, block_id: string) => {
        const { version: source_version } = (await client.get(`/documents/${document.id}`)).data;
        const evidence = { document_id: document.id, source_version, block_id };
        return assertStatus(await client.post(`/concepts/${id}/sources`, evidence, any), 201);
      };
      await add(one, blocks[0].id);
      await add(one, blocks[1].id);
      await client.post("/concept-candidates/extract", { document_id: document.id });
      const [candidate] = (await client.get("/concept-candidates")).data;
      const accept = `/concept-candidates/${candidate.id}/accept`;
      const full = { quota: "concept_sources", limit: 2, used: 2 };
      const assertFull = (reply: Reply, expected: Loose) => {
        const { hint: _, ...details } = assertError(reply, "quota_exceeded");
        assert.deepEqual(details, expected);
      };
      assertFull(await client.post(accept, { concept_id: one.id }, any), full);
      const { version: source_version } = (await add(other, blocks[2].id)).data;
      const merge = { source_concept_id: other.id, source_version };
      assertFull(await client.post(`/concepts/${one.id}/merge`, merge, any), { ...full, used: 3 });
      assert.equal((await client.get(`/concepts/${one.id}`)).data.source_count, 2, "nothing has moved");

      const target = await makeDocument(client, { ...place, text: "Here.\n" });
      const [{ id: there }] = (await client.get(`/documents/${target.id}/blocks`)).data;
      const state = (source_document_id: string, source_block_id: string) =>
        makeRelation(client, { source_document_id, source_block_id, target_uri: target.uri });
      await state(target.id, there);
      await state(target.id, there);
      const { id: relation } = await state(document.id, blocks[1].id);
      const move = () =>
        client.post(`/documents/${document.id}/sections/${blocks[0].id}/move`, { target_document_id: target.id });
      assertFull(await move(), { quota: "manual_relations", limit: 2, used: 3 });
      assertStatus(await client.delete(`/relations/${relation}`), 200);
      const { id: picture } = await upload(client, document.id, png, "p.png");
      const image = { type: "image", attrs: { attachmentId: picture } };
      const within = { position: { after_block_id: blocks[0].id }, nodes: [image] };
      assertStatus(await client.post(`/documents/${document.id}/blocks`, within), 201);
      for (const name of ["a", "b"]) await upload(client, target.id, name, `${name}.txt`);
      assertFull(await move(), { quota: "attachments", limit: 2, used: 2 });
      assert.equal((await client.get(`/documents/${target.id}`)).data.version, target.version);
    });
  },
  { SVC_MAX_PER_OWNER: "2" },
);
