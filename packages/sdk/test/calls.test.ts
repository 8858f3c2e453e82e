import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { ApiError, ConnectionError, isApiError } from "@svc/sdk";
import { type Fate, faultyFetch, refusal, silentFetch } from "./support/faulty-fetch.ts";
import { onStage } from "./support/stage.ts";

onStage("calls", (stage) => {
  const titles = async () => (await stage.client().get("/knowledge-bases")).data.map(({ name }) => name);

  test("SDK1 a call answers the JSON of the service", async () => {
    const { data, request_id } = await stage.client().get("/me");
    assert.equal(data.user.email, stage.person.email);
    assert.match(request_id, /^req_/);
  });

  test("SDK1 the token may come from a function, asked for every call", async () => {
    const tokens = ["svc_tok_wrong", stage.person.token];
    const client = stage.client({ token: async () => tokens.shift() });
    await assert.rejects(client.get("/me"), (error) => isApiError(error, "token_invalid"));
    assert.equal((await client.get("/me")).data.token_id, stage.person.tokenId);
  });

  test("SDK1 the service's own headers are there when asked for", async () => {
    const { id, version } = await stage.document();
    const response = await stage.client().raw("get", "/documents/{id}/content", {
      path: { id },
      query: { format: "markdown" },
      headers: { accept: "text/markdown" },
    });
    assert.equal(response.headers.get("etag"), `"${version}"`);
    assert.match(await response.text(), /^# Title/);
    const known = { path: { id }, headers: { "if-none-match": `"${version}"` } };
    assert.equal((await stage.client().raw("get", "/documents/{id}/content", known)).status, 304);
  });

  test("SDK2 a read is repeated until the network, the limit and the service let it through", async () => {
    const waits: number[] = [];
    const busy = () => refusal(429, "rate_limited", { "retry-after": "0.03" });
    const { fetch, requests } = faultyFetch("unsent", busy, () => refusal(503, "unavailable"), "unanswered");
    const client = stage.client({ fetch, onRetry: ({ waitMs }) => void waits.push(waitMs) });
    assert.equal((await client.get("/me")).data.token_id, stage.person.tokenId);
    assert.equal(requests.length, 5);
    assert.ok(defined(waits[1]) >= 30, `waited ${waits[1]} ms`);
  });

  test("SDK2 repeating has a bound, and a long Retry-After is not waited for", async () => {
    const down = faultyFetch(...Array<Fate>(9).fill("unsent"));
    await assert.rejects(
      stage.client({ fetch: down.fetch, retry: { attempts: 3 } }).get("/me"),
      (error) => error instanceof ConnectionError && error.code === "connection_failed" && error.attempts === 3,
    );
    assert.equal(down.requests.length, 3);
    const full = faultyFetch(() => refusal(429, "translation_quota_exceeded", { "retry-after": "3600" }));
    await assert.rejects(
      stage.client({ fetch: full.fetch }).get("/me"),
      (error) => isApiError(error, "translation_quota_exceeded") && error.retryAfterMs === 3_600_000,
    );
    assert.equal(full.requests.length, 1);
  });

  test("SDK3 a write whose answer was lost has its effect once, under one key", async () => {
    const { fetch, requests } = faultyFetch("unanswered", "unanswered");
    const { data } = await stage.client({ fetch }).post("/knowledge-bases", { body: { name: "Once" } });
    assert.equal(data.name, "Once");
    assert.equal((await titles()).filter((name) => name === "Once").length, 1);
    const keys = requests.map(({ headers }) => headers.get("idempotency-key"));
    assert.equal(keys.length, 3);
    assert.match(defined(keys[0]), /^[0-9a-f]{32}$/);
    assert.equal(new Set(keys).size, 1);
  });

  test("SDK3 so has a body with a version, a change and a deletion", async () => {
    const { id, version } = await stage.document();
    const { fetch, requests } = faultyFetch("unanswered", "ok", "unanswered", "ok", "unanswered", "ok");
    const client = stage.client({ fetch });
    const body = { format: "markdown", content: "Written." } as const;
    await client.put("/documents/{id}/content", { path: { id }, ifMatch: version, body });
    await client.patch("/documents/{id}", { path: { id }, body: { title: "Other" } });
    assert.deepEqual((await client.delete("/documents/{id}", { path: { id } })).data, { id, deleted: true });
    assert.equal(requests.length, 6);
  });

  test("SDK3 a caller's own key is used, and two calls never share a made one", async () => {
    const { fetch, requests } = faultyFetch();
    const client = stage.client({ fetch });
    const create = (idempotencyKey?: string) =>
      client.post("/knowledge-bases", { body: { name: "K" }, idempotencyKey });
    const [first, second, third] = [await create("mine"), await create("mine"), await create()];
    assert.equal(second.data.id, first.data.id);
    assert.notEqual(third.data.id, first.data.id);
    assert.equal(requests[0]?.headers.get("idempotency-key"), "mine");
  });

  test("SDK4 a refusal tells its code, hint, details and request, and is not repeated", async () => {
    const { id } = await stage.document();
    const { fetch, requests } = faultyFetch();
    const body = { format: "markdown", content: "x" } as const;
    const options = { path: { id }, ifMatch: "sha256:old", body, headers: { "x-request-id": "mine-1" } };
    const error = await stage
      .client({ fetch })
      .put("/documents/{id}/content", options)
      .catch((reason: unknown) => reason);
    assert.ok(error instanceof ApiError);
    const { status, code, type, requestId, details, hint, attempts } = error;
    assert.deepEqual(
      { status, code, type, requestId, attempts },
      {
        status: 409,
        code: "version_conflict",
        type: "request_error",
        requestId: "mine-1",
        attempts: 1,
      },
    );
    assert.equal(details.expected_version, "sha256:old");
    assert.equal(typeof hint, "string");
    assert.equal(requests.length, 1);
  });

  test("SDK4 what cannot be sent at all is told as it is, and not tried again", async () => {
    const retries: unknown[] = [];
    const client = stage.client({ onRetry: (retry) => void retries.push(retry) });
    const cycle: { name: string; self?: unknown } = { name: "Cycle" };
    cycle.self = cycle;
    await assert.rejects(client.post("/knowledge-bases", { body: cycle }), /^TypeError: Converting circular/);
    const headers = { "x-own": "a\nb" };
    await assert.rejects(client.get("/me", { headers }), (error) => error instanceof TypeError);
    assert.deepEqual(retries, []);
  });

  test("SDK4 a refusal after a lost answer says that the first try may have taken effect", async () => {
    const { fetch } = faultyFetch("unsent", () => refusal(404, "not_found"));
    await assert.rejects(
      stage.client({ fetch }).delete("/documents/{id}", { path: { id: "doc_x" } }),
      (error) => isApiError(error, "not_found") && error.uncertain && error.attempts === 2,
    );
  });

  test("SDK5 something else at the address is told apart from the service", async () => {
    const page = () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
    const proxy = () => new Response("Bad gateway", { status: 502 });
    for (const fates of [[page], [() => new Response("no", { status: 404 })], [proxy, proxy]])
      await assert.rejects(
        stage.client({ ...faultyFetch(...fates), retry: { attempts: 2 } }).get("/me"),
        (error) => error instanceof ConnectionError && error.code === "not_the_api",
      );
  });

  test("SDK5 an address where nothing answers is named", async () => {
    await assert.rejects(
      stage.client({ baseUrl: "http://127.0.0.1:9", retry: { attempts: 1 } }).get("/me"),
      /http:\/\/127\.0\.0\.1:9 cannot be reached: /,
    );
  });

  test("SDK12 an abort ends a call, a wait between two attempts, and a call not yet sent", async () => {
    const reason = new Error("enough");
    const during = new AbortController();
    const call = stage.client({ fetch: silentFetch }).get("/me", { signal: during.signal });
    during.abort(reason);
    await assert.rejects(call, reason);

    const waiting = new AbortController();
    const down = faultyFetch("unsent", "unsent");
    const patient = stage.client({
      fetch: down.fetch,
      retry: { baseMs: 60_000, maxMs: 60_000 },
      onRetry: () => setImmediate(() => waiting.abort(reason)),
    });
    await assert.rejects(patient.get("/me", { signal: waiting.signal }), reason);
    await assert.rejects(patient.get("/me", { signal: AbortSignal.abort(reason) }), reason);
    assert.equal(down.requests.length, 1);
  });

  test("SDK12 an attempt that takes too long is given up", async () => {
    await assert.rejects(
      stage.client({ fetch: silentFetch, timeoutMs: 20, retry: { attempts: 2 } }).get("/me"),
      (error) => error instanceof ConnectionError && error.code === "timeout" && error.attempts === 2,
    );
  });
});
