import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { providerServer, type Reply, type SeenRequest } from "../../../test/support/provider-server.ts";
import { InvalidSetting } from "../invalid-setting.ts";
import { ProviderError } from "../provider-error.ts";
import { openTranslator } from "./open-translator.ts";
import type { Translator } from "./translator.ts";

const policy = { retry: { attempts: 2, baseDelayMs: 1, maxDelayMs: 50 }, timeoutMs: 10_000, maxAnswerBytes: 100_000 };
const pair = { source: "en", target: "es" };
const open = (url: string): Translator =>
  defined(openTranslator({ provider: "openai", url, model: "some-model", apiKey: "sk-secret", policy }));

const segmentsOf = (request: SeenRequest): { id: number; text: string }[] =>
  JSON.parse(JSON.parse(request.body).messages[1].content).segments;
const says = (content: unknown, finish_reason = "stop"): Reply => ({
  json: { choices: [{ message: { content }, finish_reason }] },
});
const translations = (items: unknown) => JSON.stringify({ translations: items });
const capitals = (request: SeenRequest) =>
  segmentsOf(request).map(({ id, text }) => ({ id, text: text.toUpperCase() }));

test("asks the chat endpoint with the model, the languages and the segments", async () => {
  await using server = await providerServer((request) => says(translations(capitals(request))));
  const translator = open(server.url);
  assert.equal(translator.id, "openai:some-model");
  assert.deepEqual(await translator.translate([{ id: "a", text: "⟦1⟧x⟦/1⟧ y" }], pair), [
    { id: "a", text: "⟦1⟧X⟦/1⟧ Y" },
  ]);
  const [seen] = server.seen;
  const body = JSON.parse(seen?.body ?? "");
  assert.equal(seen?.path, "/base/chat/completions");
  assert.equal(seen?.headers.authorization, "Bearer sk-secret");
  assert.equal(body.model, "some-model");
  assert.match(body.messages[0].content, /"en".*"es"/);
});

test("JSON in a fence or a sentence, and ids as strings, are understood", async () => {
  await using server = await providerServer((request, count) => {
    const items = capitals(request).map(({ id, text }) => ({ id: String(id), text }));
    return says(
      count === 1 ? `\`\`\`json\n${translations(items)}\n\`\`\`` : `Here you are: ${translations(items)} Enjoy!`,
    );
  });
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(await open(server.url).translate([{ id: "a", text: "x" }], pair), [{ id: "a", text: "X" }]);
  }
});

test("segments the model forgot are asked again, those it garbled in halves", async () => {
  await using server = await providerServer((request, count) => {
    if (count === 1) return says("I am sorry, I cannot count.");
    if (count === 2) return says(translations(capitals(request).slice(1)));
    return says(translations(capitals(request)));
  });
  const segments = ["a", "b", "c", "d"].map((id) => ({ id, text: id }));
  const results = await open(server.url).translate(segments, pair);
  assert.deepEqual(
    results,
    segments.map(({ id }) => ({ id, text: id.toUpperCase() })),
  );
  assert.deepEqual(
    server.seen.map((request) => segmentsOf(request).length),
    [4, 2, 1, 2],
  );
});

test("a model that never makes sense costs a bounded number of calls", async () => {
  await using server = await providerServer(() => says("{}"));
  const segments = Array.from({ length: 40 }, (_, index) => ({ id: `${index}`, text: "word" }));
  const results = await open(server.url).translate(segments, pair);
  assert.ok(results.every((result) => "error" in result && result.error === "provider_nonsense"));
  assert.equal(server.seen.length, 7);
});

test("invented ids and texts that are no text are ignored", async () => {
  const items = [{ id: 7, text: "x" }, { id: -1, text: "x" }, { id: 0, text: 5 }, null, "x"];
  await using server = await providerServer(() => says(translations(items)));
  assert.deepEqual(await open(server.url).translate([{ id: "a", text: "x" }], pair), [
    { id: "a", error: "provider_nonsense" },
  ]);
});

test("a model that wants other parameters gets them from then on", async () => {
  await using server = await providerServer((request) => {
    const body = JSON.parse(request.body);
    if ("max_tokens" in body)
      return { status: 400, json: { error: { code: "unsupported_parameter", param: "max_tokens" } } };
    return says(translations(capitals(request)));
  });
  const translator = open(server.url);
  for (let round = 0; round < 2; round++) await translator.translate([{ id: "a", text: "x" }], pair);
  assert.equal(server.seen.length, 3);
});

test("a content refusal and a missing key are told as refusals", async () => {
  for (const reply of [says(null, "content_filter"), { status: 401 }] satisfies Reply[]) {
    await using server = await providerServer(() => reply);
    const translation = open(server.url).translate([{ id: "a", text: "x" }], pair);
    await assert.rejects(translation, (error) => error instanceof ProviderError && error.code === "provider_refused");
  }
});

test("wrong settings are named, and none is needed when there is no provider", () => {
  assert.equal(openTranslator({}), undefined);
  const wrong = [
    { provider: "babelfish" },
    { provider: "openai", url: "http://127.0.0.1" },
    { provider: "openai", model: "m" },
    { provider: "libretranslate" },
    { provider: "libretranslate", url: "http://user:hush@127.0.0.1" },
    { provider: "apertium", url: "hush" },
  ];
  for (const settings of wrong) {
    assert.throws(
      () => openTranslator(settings),
      (error) => error instanceof InvalidSetting && !error.message.includes("hush"),
    );
  }
});
