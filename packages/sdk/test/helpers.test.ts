import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import {
  blockChanges,
  createClient,
  type DeviceCode,
  eventsSince,
  isApiError,
  isSuggested,
  JobError,
  listAll,
  listPages,
  loginWithDevice,
  readParts,
  retryConflicts,
  updateMarkdown,
  updateTiptap,
  waitForJob,
} from "@svc/sdk";
import { faultyFetch, refusal } from "./support/faulty-fetch.ts";
import { onStage } from "./support/stage.ts";

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

onStage("helpers", (stage) => {
  const markdownOf = async (id: string) => {
    const query = { format: "markdown" } as const;
    return (await stage.client().get("/documents/{id}/content", { path: { id }, query })).data.content;
  };

  test("SDK6 a list is walked over all its pages, each fetched when it is needed", async () => {
    const knowledge_base_id = await stage.knowledgeBase("Many");
    for (const title of ["a", "b", "c"])
      await stage.client().post("/documents", { body: { title, knowledge_base_id } });
    const { fetch, requests } = faultyFetch();
    const client = stage.client({ fetch });
    const query = { knowledge_base_id, limit: 1 };
    assert.deepEqual(
      (await all(listAll(client, "/documents", { query }))).map(({ title }) => title),
      ["a", "b", "c"],
    );
    assert.equal(requests.length, 3);
    for await (const page of listPages(client, "/documents", { query })) {
      assert.equal(page.data.length, 1);
      break;
    }
    assert.equal(requests.length, 4);
  });

  test("SDK6 a list that keeps more beside its items gives whole pages", async () => {
    const { id } = await stage.document("Zebra stripes.");
    const pages = await all(listPages(stage.client(), "/search/v2", { query: { q: "zebra", mode: "exhaustive" } }));
    assert.equal(pages[0]?.hits.total, 1);
    assert.equal(pages[0]?.data[0]?.document_id, id);
  });

  test("SDK6 reading in parts, block changes and events go on from a cursor", async () => {
    const resumeFrom = defined((await all(eventsSince(stage.client())))[0]).resumeFrom;
    const { id } = await stage.document(
      Array.from({ length: 6 }, (_, n) => `Paragraph ${n} of some length.`).join("\n\n"),
    );
    const parts = await all(readParts(stage.client(), id, { query: { max_tokens: 10 } }));
    assert.ok(parts.length > 1);
    assert.equal(parts.flatMap(({ items }) => items).length, 6);
    const [first] = await all(blockChanges(stage.client(), id));
    assert.equal(first?.manifest?.length, 6);
    await updateMarkdown(stage.client(), id, (markdown) => `${markdown}\n\nSeventh.`);
    const later = await all(blockChanges(stage.client(), id, first?.cursor));
    assert.deepEqual(
      later.flatMap(({ changes }) => changes.map(({ change_type }) => change_type)),
      ["added"],
    );
    const [other] = await all(eventsSince(stage.client(), resumeFrom, { history: "earlier" }));
    assert.equal(other?.syncRequired, true);
    const history = other?.history;
    const pages = await all(eventsSince(stage.client(), resumeFrom, { limit: 1, history }));
    const types = pages.flatMap(({ events }) => events).map(({ type }) => type);
    assert.deepEqual(types, ["document.created", "document.content.updated"]);
  });

  test("SDK7 an update reads again when somebody else wrote in between", async () => {
    const { id } = await stage.document("Base.");
    let runs = 0;
    const written = await updateMarkdown(stage.client(), id, async (markdown) => {
      if (++runs === 1) await updateMarkdown(stage.client(), id, (other) => `${other}\n\nTheirs.`);
      return `${markdown}\n\nOurs.`;
    });
    assert.equal(runs, 2);
    assert.equal(await markdownOf(id), "Base.\n\nTheirs.\n\nOurs.\n");
    const { data } = await stage.client().get("/documents/{id}", { path: { id } });
    assert.ok(!isSuggested(written));
    assert.equal(data.version, written.version);
  });

  test("SDK7 an update keeps block ids, and adds nothing twice when an answer is lost", async () => {
    const { id } = await stage.document("One.\n\nTwo.");
    const ids = async () =>
      (await all(listAll(stage.client(), "/documents/{id}/blocks", { path: { id } }))).map((b) => b.id);
    const before = await ids();
    const { fetch } = faultyFetch("ok", "unanswered");
    await updateMarkdown(stage.client({ fetch }), id, (markdown) => `${markdown}\n\nThree.`);
    assert.deepEqual((await ids()).slice(0, 2), before);
    assert.equal(await markdownOf(id), "One.\n\nTwo.\n\nThree.\n");
  });

  test("SDK7 a change that returns nothing writes nothing, and one with nodes is exact", async () => {
    const { id, version } = await stage.document("Only.");
    assert.deepEqual(await updateMarkdown(stage.client(), id, () => undefined), { version, changed_block_ids: [] });
    await updateTiptap(stage.client(), id, ({ content }) => ({
      type: "doc",
      content: [...content, { type: "paragraph", attrs: { mood: "odd" }, content: [{ type: "text", text: "Nodes." }] }],
    }));
    const { data } = await stage.client().get("/documents/{id}/content", { path: { id } });
    assert.equal(data.document?.content?.[1]?.attrs?.mood, "odd");
  });

  test("SDK7 conflicts are given up after a bound, and other refusals at once", async () => {
    let runs = 0;
    const conflict = async () => {
      runs++;
      const body = { format: "markdown", content: "x" } as const;
      await stage.client().put("/documents/{id}/content", { path: { id }, ifMatch: "sha256:never", body });
    };
    const { id } = await stage.document();
    await assert.rejects(retryConflicts(conflict, { attempts: 3 }), (error) => isApiError(error, "version_conflict"));
    assert.equal(runs, 3);
    await assert.rejects(
      updateMarkdown(stage.client(), "doc_none", (markdown) => markdown),
      (error) => isApiError(error, "not_found"),
    );
  });

  test("SDK10 a device login waits for the person, slows down when told, and ends with a token", async () => {
    const answers = [
      () =>
        Response.json({
          data: {
            device_code: "d",
            user_code: "BCDF-GHJK",
            verification_uri: "u",
            verification_uri_complete: "uc",
            expires_in: 600,
            interval: 0.01,
          },
          request_id: "r",
        }),
      () => refusal(400, "authorization_pending"),
      "unsent" as const,
      () => Response.json({ data: { access_token: "svc_tok_x" }, request_id: "r" }),
    ];
    const { fetch, requests } = faultyFetch(...answers);
    const shown: string[] = [];
    const login = { clientName: "test", onCode: (code: DeviceCode) => void shown.push(code.user_code) };
    const token = await loginWithDevice(createClient({ baseUrl: stage.world.url, fetch }), login);
    assert.equal(token.access_token, "svc_tok_x");
    assert.deepEqual(shown, ["BCDF-GHJK"]);
    assert.equal(requests.length, 4);
    assert.equal(requests[0]?.headers.get("authorization"), null);
  });

  test("SDK10 a refused or forgotten login is thrown, and it can be aborted", async () => {
    const begin = () => Response.json({ data: { device_code: "d", expires_in: 600, interval: 0.01 }, request_id: "r" });
    for (const code of ["access_denied", "expired_token"]) {
      const { fetch } = faultyFetch(begin, () => refusal(400, code));
      const login = loginWithDevice(stage.client({ fetch }), { clientName: "test", onCode: () => {} });
      await assert.rejects(login, (error) => isApiError(error, code));
    }
    const stop = new AbortController();
    const real = loginWithDevice(createClient({ baseUrl: stage.world.url }), {
      clientName: "test",
      onCode: () => stop.abort(new Error("changed my mind")),
      signal: stop.signal,
    });
    await assert.rejects(real, /changed my mind/);
  });

  test("SDK11 a job that fails is thrown with its own reason", async () => {
    const { id } = await stage.document("Hello.");
    const body = { source_locale: "en", target_locales: ["de"] };
    await stage.client().post("/documents/{id}/localization/activate", { path: { id }, body });
    const job = await stage
      .client()
      .post("/documents/{id}/translation-jobs", { path: { id }, body: { target_locale: "de" } });
    const seen: string[] = [];
    await assert.rejects(
      waitForJob(stage.client(), "/translation-jobs/{id}", job.data.id, {
        pollMs: 50,
        onProgress: ({ status }) => void seen.push(status),
      }),
      (error) => error instanceof JobError && error.code === "provider_not_configured",
    );
    assert.equal(seen.at(-1), "failed");
  });
});
