import assert from "node:assert/strict";
import { before, test } from "node:test";
import { idKinds } from "@svc/server/domain/exchange/ids/find-ids";
import type { Route } from "@svc/server/http/route";
import { routes } from "@svc/server/routes";
import { pageRoutes } from "@svc/server/surfaces/pages/index";
import { unzipped } from "../../support/archives.ts";
import { assertError, assertStatus, type Loose, type Reply } from "../../support/client.ts";
import { EventReader } from "../../support/event-reader.ts";
import { makeConcept, makeDocument, ownedPath } from "../../support/fixtures.ts";
import { signIn } from "../../support/live-editor.ts";
import { MARK, makeOpenPlace, makeSecret, type OpenPlace, type Secret } from "../../support/secret-base.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person, type World } from "../../support/world.ts";

/** Beside the bare question: words that stand beside the mark alone, and all of what can be asked for. */
const questions: Readonly<Record<string, readonly string[]>> = {
  search: ["q=later", "q=imported"],
  search_v2: ["q=later", "q=later&mode=exhaustive", "q=later+open&partial=true&include_summary=true", "q=suggested"],
  list_documents: ["q=page", "sort=updated_at&include_variants=true", `property.tags=${MARK}`, "locale=es"],
  list_concepts: ["q=concept"],
  diff_changes: ["since=2020-01-01T00:00:00Z"],
  list_events: ["after=0&limit=100"],
  list_relations: ["direction=both", "direction=incoming"],
  traverse_concepts: ["direction=both&depth=5"],
  get_link_report: ["report=dangling", "report=unlinked", "report=most_linked"],
  list_suggestions: ["status=open"],
  diff_versions: ["to=current"],
};

/** Ids of the open place by the noun that stands before them. */
const openIds = (open: OpenPlace): Readonly<Record<string, string | number>> => ({
  "knowledge-bases": open.base.id,
  folders: open.folder.id,
  documents: open.document.id,
  concepts: open.concept.id,
  attachments: open.attachment.id,
  files: open.attachment.id,
  suggestions: open.suggestion.id,
  comments: open.comment.id,
});

/** A path with the first id that the open place has for it. */
function openPath(path: string, open: OpenPlace): string {
  if (path.endsWith("/spreadsheet")) return `/documents/${open.sheet.id}/spreadsheet`;
  if (/\/(localization|translation)/.test(path))
    return path.replace(/^\/documents\/\{id\}/, `/documents/${open.bilingual.id}`);
  return path.replace(/^\/([\w-]+)\/(?:\{id\}|:id)/, (whole, noun: string) =>
    openIds(open)[noun] === undefined ? whole : `/${noun}/${openIds(open)[noun]}`,
  );
}

onEachDatabase("what a private knowledge base lets out", (world: World) => {
  let owner: Person;
  let reader: Person;
  let open: OpenPlace;
  let secret: Secret;

  before(async () => {
    owner = await world.person();
    reader = await world.person({ workspace: owner.workspaceId, role: "editor" });
    open = await makeOpenPlace(owner.client);
    secret = await makeSecret(owner, reader, open);
    await until("the mentions are told", async () => (await reader.client.get("/notifications")).text.includes(MARK));
    for (const id of secret.baseIds) {
      const access = { default_role: "none", members: [], groups: [] };
      assertStatus(await owner.client.put(`/knowledge-bases/${id}/access`, access, { ifMatch: "*" }), 200);
    }
  });

  /** Neither names nor texts nor ids, nor anybody's address (RIGHT18); only what the open page links to stands in its own body. */
  function assertSilent(where: string, text: string): void {
    assert.ok(!text.toLowerCase().includes(MARK.toLowerCase()), `${where} tells the mark: ${text}`);
    const told = secret.ids.filter((id) => id !== secret.linked.id && text.includes(id));
    assert.deepEqual(told, [], `${where} tells ids: ${text}`);
    assert.ok(!text.includes(owner.email), `${where} tells the owner's e-mail address: ${text}`);
  }

  const textOf = (reply: Reply, bytes: () => Promise<Buffer>): Promise<string> | string =>
    reply.headers.get("content-type") === "application/zip" ? bytes().then(zipText) : reply.text;

  const zipText = (archive: Buffer): string =>
    [...unzipped(archive)].map(([path, content]) => `${path}\n${content}`).join("\n");

  async function download(path: string): Promise<Buffer> {
    const headers = { authorization: `Bearer ${reader.token}` };
    return Buffer.from(await (await fetch(`${world.url}/api/v1${path}`, { headers })).arrayBuffer());
  }

  const place = () => ({ knowledge_base_id: open.base.id });

  const pathOf = async (route: Route): Promise<string> => {
    const path = openPath(route.path, open);
    return path.includes("{") ? ownedPath({ path }, owner, world) : path;
  };

  /** Ids are also looked for by their ends. */
  function asked(operation: string): readonly string[] {
    const ends = secret.ids.filter((id) => id !== secret.linked.id).map((id) => `id_ends=${id.slice(-8)}`);
    if (operation === "find_ids") return ends.flatMap((end) => idKinds.map((kind) => `kind=${kind}&${end}`));
    const byEnd = ["list_documents", "list_concepts", "list_concept_candidates"].includes(operation) ? ends : [];
    return [...(questions[operation] ?? [""]), ...byEnd];
  }

  test("RIGHT5 no reading route tells of it, whatever of the rest is asked for", async () => {
    const unread = new Set<string>();
    for (const route of routes) {
      if (route.kind !== "read" || route.operation === "stream_events") continue;
      const path = await pathOf(route);
      for (const question of asked(route.operation)) {
        const target = question ? `${path}?${question}` : path;
        const reply = await reader.client.get(target);
        if (reply.status !== 200) unread.add(`${route.operation} ${reply.status}`);
        assertSilent(target, await textOf(reply, () => download(target)));
      }
    }
    // For owners, or of what is not shared at all.
    const refused = ["get_public_share 404", "get_folder_public_share 404", "list_public_shares 403"];
    assert.deepEqual([...unread], [...refused, "list_audit_entries 403"]);
  });

  test("RIGHT5 answers to who writes tell nothing of it either", async () => {
    const { client } = reader;
    const path = `/concepts/${open.concept.id}`;
    const [related, merged] = [await makeConcept(owner.client, place()), await makeConcept(owner.client, place())];
    const { id: document_id, version: source_version } = await makeDocument(client, place());
    const block_id = (await client.get(`/documents/${document_id}/blocks`)).data[0].id;
    const write = async (reply: Promise<Reply>) => {
      const { status, text } = await reply;
      assert.ok(status < 300, text);
      assertSilent("a write", text);
    };
    const any = { ifMatch: "*" };
    await write(client.patch(path, { description: "New." }, any));
    await write(client.post(`${path}/relations`, { predicate: "related_to", target_concept_id: related.id }, any));
    await write(client.post(`${path}/sources`, { document_id, block_id, source_version }, any));
    const merge = { source_concept_id: merged.id, source_version: merged.version };
    await write(client.post(`${path}/merge`, merge, any));
    await write(client.post(`${path}/unmerge`, undefined, any));
    await write(client.post(`/documents/${open.bilingual.id}/localizations`, { locale: "fr" }));
  });

  test("RIGHT13 nobody changes a hidden language version, or a hidden concept, through one that they see", async () => {
    const { client } = reader;
    const path = `/documents/${open.bilingual.id}`;
    const unit = (await owner.client.get(`${path}/translation-units?locale=es`)).data[0];
    const any = { ifMatch: "*" };
    const title = { title: "Mine" };
    for (const reply of [
      await client.patch(`${path}/localizations/es`, title),
      await client.delete(`${path}/localizations/es`),
      await client.post(`${path}/translation-jobs`, { target_locale: "es" }),
      await client.patch(`${path}/translation-units/${unit.id}`, { review_status: "ignored" }, any),
    ]) {
      assertError(reply, "not_found");
      assertSilent("a refusal", reply.text);
    }
    assert.equal((await owner.client.get(`/documents/${secret.translation.id}`)).data.title, secret.translation.title);
    const survivor = await makeConcept(owner.client, place());
    const { id, version } = (await owner.client.get(`/concepts/${secret.concept.id}`)).data;
    const merge = { source_concept_id: id, source_version: version };
    assertStatus(await owner.client.post(`/concepts/${survivor.id}/merge`, merge, any), 200);
    assertError(await client.post(`/concepts/${survivor.id}/unmerge`, undefined, any), "version_conflict");
    assertStatus(await owner.client.post(`/concepts/${survivor.id}/unmerge`, undefined, any), 200);
  });

  test("RIGHT5 a refusal about a source names no language of a hidden translation", async () => {
    const path = `/documents/${open.bilingual.id}`;
    for (const reply of [
      await reader.client.delete(`${path}/localizations/en`),
      await reader.client.post(`${path}/localization/deactivate`),
    ]) {
      const { hint, ...details } = assertError(reply, "localization_has_targets");
      assert.match(hint, /^Somebody who sees every/);
      const seen = (await reader.client.get(`${path}/localizations`)).data.variants.slice(1);
      assert.deepEqual(details, { document_ids: seen.map(({ document_id }: Loose) => document_id) });
      assertSilent("a refusal", reply.text);
    }
  });

  test("RIGHT5 a concept that lives on in a hidden one is not there, and nothing names the other", async () => {
    const [merged, other] = [await makeConcept(owner.client, place()), await makeConcept(owner.client, place())];
    const any = { ifMatch: "*" };
    const merge = { source_concept_id: merged.id, source_version: merged.version };
    assertStatus(await owner.client.post(`/concepts/${secret.concept.id}/merge`, merge, any), 200);
    const { client } = reader;
    const relation = { predicate: "related_to", target_concept_id: merged.id };
    for (const reply of [
      await client.get(`/concepts/${merged.id}`),
      await client.get(`/concepts/${merged.id}/traverse`),
      await client.get(`/concepts/${merged.id}/history`),
      await client.patch(`/concepts/${merged.id}`, { description: "Mine" }, any),
      await client.post(`/concepts/${merged.id}/unmerge`, undefined, any),
      await client.post(`/concepts/${other.id}/relations`, relation, any),
      await client.post(`/concepts/${other.id}/merge`, merge, any),
    ]) {
      assert.equal(assertError(reply, "not_found").id, merged.id);
      assertSilent("a refusal", reply.text);
    }
    assertStatus(await owner.client.post(`/concepts/${secret.concept.id}/unmerge`, undefined, any), 200);
    assertStatus(await client.get(`/concepts/${merged.id}`), 200);
  });

  test("RIGHT5 no page tells of it", async () => {
    const headers = { cookie: await signIn(world, reader) };
    const unread: string[] = [];
    for (const route of pageRoutes) {
      if (route.method !== "GET" || route.isPublic) continue;
      const path = openPath(route.path, open);
      if (path.includes(":")) continue;
      for (const target of path === "/search" ? ["/search?q=later", "/search?q=open"] : [path]) {
        const reply = await fetch(world.url + target, { headers, redirect: "manual" });
        if (reply.status !== 200) unread.push(`${target} ${reply.status}`);
        assertSilent(target, await reply.text());
      }
    }
    // For who has proven less, for owners, and of two versions that nobody named.
    const refused = [
      /^\/prove 303$/,
      /^\/account\/security\/totp 303$/,
      /^\/public-links 403$/,
      /\/versions\/compare 404$/,
    ];
    assert.deepEqual(
      unread.filter((one) => !refused.some((known) => known.test(one))),
      [],
    );
  });

  test("RIGHT15 a stream from the beginning does not tell of it", async () => {
    const stream = await EventReader.open(world.url, reader.token, { lastEventId: "0" });
    const last = await makeDocument(owner.client, { knowledge_base_id: open.base.id });
    await until("the last event has come", () => stream.events.some(({ data }) => data.document_id === last.id));
    const told = JSON.stringify(stream.events);
    stream.close();
    assertSilent("the stream", told);
    assert.ok(!told.includes(secret.linked.id), told);
  });
});
