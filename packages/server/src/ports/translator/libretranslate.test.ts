import assert from "node:assert/strict";
import { test } from "node:test";
import { providerServer, type Reply, type SeenRequest } from "../../../test/support/provider-server.ts";
import { ProviderError, type ProviderErrorCode } from "../provider-error.ts";
import { libreTranslate } from "./libretranslate.ts";

const policy = { retry: { attempts: 2, baseDelayMs: 1, maxDelayMs: 50 }, timeoutMs: 10_000, maxAnswerBytes: 100_000 };
const apiKey = "libre-secret";
const languages = [
  { code: "en", name: "English", targets: ["en", "es", "pt-BR", "zh-Hans", "zh-Hant"] },
  { code: "zh-Hant", name: "Chinese (traditional)", targets: ["en"] },
];

/** Speaks the protocol; "translates" into capitals. */
const speaks = (request: SeenRequest): Reply => {
  if (request.path === "/base/languages") return { json: languages };
  const { q }: { q: string[] } = JSON.parse(request.body);
  return { json: { translatedText: q.map((text) => text.toUpperCase()) } };
};

const callsOf = (seen: readonly SeenRequest[]) =>
  seen.filter(({ path }) => path === "/base/translate").map(({ body }) => JSON.parse(body));

test("sends batches with the server's language codes and the key in the body", async () => {
  await using server = await providerServer(speaks);
  const translator = libreTranslate({ url: server.url, apiKey, policy });
  const segments = Array.from({ length: 120 }, (_, index) => ({ id: `u${index}`, text: ` text ${index}` }));
  const results = await translator.translate(segments, { source: "en-GB", target: "zh-TW" });
  assert.deepEqual(
    results,
    segments.map(({ id, text }) => ({ id, text: text.toUpperCase() })),
  );
  const calls = callsOf(server.seen);
  assert.deepEqual(
    calls.map(({ q }) => q.length),
    [50, 50, 20],
  );
  const { source, target, format, api_key } = calls[0];
  assert.deepEqual(
    { source, target, format, api_key },
    { source: "en", target: "zh-Hant", format: "text", api_key: apiKey },
  );
});

test("a long segment is sent in pieces and comes back whole", async () => {
  await using server = await providerServer(speaks);
  const text = "Some words here. ".repeat(1000);
  const [result] = await libreTranslate({ url: server.url, policy }).translate([{ id: "a", text }], {
    source: "en",
    target: "es",
  });
  assert.deepEqual(result, { id: "a", text: text.toUpperCase() });
  assert.ok(callsOf(server.seen).every(({ q }) => q.join("").length <= 4000));
});

test("pairs are told by the server's list, and asked for once", async () => {
  await using server = await providerServer(speaks);
  const translator = libreTranslate({ url: server.url, policy });
  const pairs: [string, string, boolean][] = [
    ["en", "es-MX", true],
    ["en", "pt-BR", true],
    ["en", "zh", true],
    ["en", "pt-PT", false],
    ["zh-Hant", "en", true],
    ["es", "en", false],
    ["en", "en-US", false],
  ];
  for (const [source, target, expected] of pairs) {
    assert.equal(await translator.supports?.(source, target), expected, `${source} ${target}`);
  }
  assert.equal(server.seen.length, 1);
  const translation = translator.translate([{ id: "a", text: "x" }], { source: "en", target: "de" });
  await assert.rejects(translation, (error) => error instanceof ProviderError && error.code === "unsupported_pair");
});

for (const missing of [{ status: 404 }, { json: { translatedText: "x" } }])
  test("a server that lists no languages and takes one text at a time translates too", async () => {
    await using server = await providerServer((request) => {
      if (request.path.endsWith("languages")) return missing;
      const { q } = JSON.parse(request.body);
      return { json: { translatedText: String(q).toUpperCase() } };
    });
    const segments = ["one, two", "three"].map((text) => ({ id: text, text }));
    const translator = libreTranslate({ url: server.url, policy });
    assert.deepEqual(
      await translator.translate(segments, { source: "en-GB", target: "de-AT" }),
      segments.map(({ id, text }) => ({ id, text: text.toUpperCase() })),
    );
    assert.deepEqual(
      callsOf(server.seen).map(({ q, source, target }) => [q, source, target]),
      [["one, two", "three"], "one, two", "three"].map((q) => [q, "en", "de"]),
    );
  });

const bad: [string, Reply, ProviderErrorCode][] = [
  ["too few texts", { json: { translatedText: [] } }, "provider_nonsense"],
  ["no texts", { json: null }, "provider_nonsense"],
  ["a refusal", { status: 403, json: { error: `Invalid API key ${apiKey}` } }, "provider_refused"],
  ["a full server", { status: 500, json: { error: "x" } }, "provider_unreachable"],
  ["a slow server", () => undefined, "provider_unreachable"],
];
for (const [name, reply, code] of bad) {
  test(`${name}: ${code}, without the key`, async () => {
    await using server = await providerServer((request) =>
      request.path.endsWith("languages") ? speaks(request) : reply,
    );
    const timeoutMs = name === "a slow server" ? 200 : policy.timeoutMs;
    const translation = libreTranslate({ url: server.url, apiKey, policy: { ...policy, timeoutMs } }).translate(
      [{ id: "a", text: "x" }],
      {
        source: "en",
        target: "es",
      },
    );
    await assert.rejects(translation, (error) => {
      assert.ok(error instanceof ProviderError && error.code === code);
      return !JSON.stringify([error, error.message, error.stack]).includes(apiKey);
    });
  });
}

test("what was translated before a failure is kept, the rest is told", async () => {
  await using server = await providerServer((request, count) => (count <= 2 ? speaks(request) : { status: 403 }));
  const segments = Array.from({ length: 60 }, (_, index) => ({ id: `${index}`, text: "word" }));
  const results = await libreTranslate({ url: server.url, policy }).translate(segments, { source: "en", target: "es" });
  assert.deepEqual(results[49], { id: "49", text: "WORD" });
  assert.deepEqual(results[50], { id: "50", error: "provider_refused" });
});

test("an answer out of proportion or empty is an error of its segment alone", async () => {
  const answer = { translatedText: ["x".repeat(50_000), " ", 7, "bien"] };
  await using server = await providerServer((request) =>
    request.path.endsWith("languages") ? speaks(request) : { json: answer },
  );
  const segments = ["a", "b", "c", "d"].map((id) => ({ id, text: "good" }));
  const results = await libreTranslate({ url: server.url, policy }).translate(segments, { source: "en", target: "es" });
  const error = "provider_nonsense";
  assert.deepEqual(results, [
    { id: "a", error },
    { id: "b", error },
    { id: "c", error },
    { id: "d", text: "bien" },
  ]);
});
