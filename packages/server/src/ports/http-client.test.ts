import assert from "node:assert/strict";
import { test } from "node:test";
import { type ProviderServer, providerServer, type Reply } from "../../test/support/provider-server.ts";
import { Watch } from "../../test/support/until.ts";
import { endpoint, type HttpPolicy, requestJson } from "./http-client.ts";
import { ProviderError, type ProviderErrorCode } from "./provider-error.ts";
import { retryAfterMs } from "./retry.ts";

const policy: HttpPolicy = {
  retry: { attempts: 3, baseDelayMs: 1, maxDelayMs: 2000 },
  timeoutMs: 10_000,
  maxAnswerBytes: 1000,
};
const secret = "sk-very-secret";

const ask = (server: ProviderServer, signal?: AbortSignal, timeoutMs = policy.timeoutMs) => {
  const request = { provider: "stub", url: endpoint(server.url, "/call"), body: { a: 1 }, apiKey: secret, signal };
  return requestJson({ ...request, policy: { ...policy, timeoutMs } });
};

const failsWith =
  (code: ProviderErrorCode, more: Partial<ProviderError> = {}) =>
  (error: unknown) => {
    assert.ok(error instanceof ProviderError);
    assert.equal(error.code, code);
    for (const [name, value] of Object.entries(more)) assert.equal(Reflect.get(error, name), value);
    assert.ok(![error.message, error.stack, JSON.stringify(error), String(error.cause)].join().includes(secret));
    return true;
  };

test("sends JSON with the key and reads the JSON answer", async () => {
  await using server = await providerServer(() => ({ json: { ok: "é" } }));
  assert.deepEqual(await ask(server), { ok: "é" });
  const [seen] = server.seen;
  assert.equal(seen?.path, "/base/call");
  assert.equal(seen?.headers.authorization, `Bearer ${secret}`);
  assert.equal(seen?.body, '{"a":1}');
});

const failing: [string, Reply, ProviderErrorCode, number][] = [
  ["400", { status: 400, json: { error: { code: "model_not_found" } } }, "provider_refused", 1],
  [
    "401 that repeats the key",
    { status: 401, json: { error: { message: secret, code: secret } } },
    "provider_refused",
    1,
  ],
  ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" } }, "provider_refused", 1],
  ["429", { status: 429 }, "provider_refused", 3],
  ["503 as HTML", { status: 503, text: "<html>" }, "provider_unreachable", 3],
  ["a closed connection", (response) => response.destroy(), "provider_unreachable", 3],
  ["no JSON", { text: "Sure! Here" }, "provider_nonsense", 1],
  ["an endless answer", (response) => void response.end("x".repeat(5_000_000)), "provider_nonsense", 1],
];

for (const [name, reply, code, calls] of failing) {
  test(`${name} is ${code} after ${calls} calls`, async () => {
    await using server = await providerServer(() => reply);
    await assert.rejects(ask(server), failsWith(code));
    assert.equal(server.seen.length, calls);
  });
}

const slow: [string, Reply][] = [
  ["silence", () => undefined],
  ["an answer that stops half way", (response) => void response.writeHead(200, { "content-length": 9 }).write("{")],
];
for (const [name, reply] of slow) {
  test(`${name} is provider_unreachable after the time of every attempt`, async () => {
    await using server = await providerServer(() => reply);
    const start = performance.now();
    await assert.rejects(ask(server, undefined, 100), failsWith("provider_unreachable"));
    assert.ok(performance.now() - start >= 3 * 95);
  });
}

test("tells the provider's own code and status", async () => {
  await using server = await providerServer(() => ({ status: 404, json: { error: { code: "model_not_found" } } }));
  await assert.rejects(ask(server), failsWith("provider_refused", { status: 404, reason: "model_not_found" }));
});

test("comes back as soon as the provider says, not earlier", async () => {
  await using server = await providerServer((_, count) =>
    count === 1 ? { status: 429, headers: { "retry-after": "1" } } : { json: 1 },
  );
  const start = performance.now();
  assert.equal(await ask(server), 1);
  assert.ok(performance.now() - start >= 990);
});

test("does not wait for a provider that wants to be left alone for long", async () => {
  await using server = await providerServer(() => ({ status: 503, headers: { "retry-after": "3600" } }));
  await assert.rejects(ask(server), failsWith("provider_unreachable", { retryAfterMs: 3_600_000 }));
  assert.equal(server.seen.length, 1);
});

test("an abort ends a call and a wait at once, with its own reason", async () => {
  for (const reply of [() => undefined, { status: 429, headers: { "retry-after": "2" } }] satisfies Reply[]) {
    await using server = await providerServer(() => reply);
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error("shutting down")), 50);
    using watch = new Watch();
    await assert.rejects(ask(server, abort.signal), /shutting down/);
    assert.ok(watch.ms < 1500);
  }
});

test("nobody listens", async () => {
  const call = requestJson({ provider: "stub", url: "http://127.0.0.1:1/", policy });
  await assert.rejects(call, failsWith("provider_unreachable"));
});

test("reads Retry-After in both forms", () => {
  const now = Date.parse("Sun, 15 Nov 2026 04:00:00 GMT");
  assert.equal(retryAfterMs("7", now), 7000);
  assert.equal(retryAfterMs("Sun, 15 Nov 2026 04:00:09 GMT", now), 9000);
  assert.equal(retryAfterMs("Sun, 15 Nov 2020 04:00:09 GMT", now), 0);
  assert.equal(retryAfterMs("soon", now), undefined);
  assert.equal(retryAfterMs(null, now), undefined);
});

test("a path is put below the base, whatever its end", () => {
  assert.equal(endpoint("http://a/v1/", "/chat"), "http://a/v1/chat");
  assert.equal(endpoint("http://a", "/chat"), "http://a/chat");
  assert.equal(endpoint("http://a/v1?version=2", "/chat"), "http://a/v1/chat?version=2");
});
