import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { providerServer, type Reply } from "../../../test/support/provider-server.ts";
import { InvalidSetting } from "../invalid-setting.ts";
import { ProviderError, type ProviderErrorCode } from "../provider-error.ts";
import { openModel } from "./open-model.ts";

const policy = { retry: { attempts: 3, baseDelayMs: 1, maxDelayMs: 50 }, timeoutMs: 10_000, maxAnswerBytes: 10_000 };
const apiKey = "sk-model-secret";
const open = (url: string, timeoutMs = policy.timeoutMs) =>
  defined(openModel({ url, name: "tiny", apiKey, policy: { ...policy, timeoutMs } }));
const prompt = { system: "Summarise.", user: "A long text.", maxOutputTokens: 77 };
const completion = (content: unknown, more: object = {}) => ({
  json: { choices: [{ message: { content }, ...more }], usage: { prompt_tokens: 12, completion_tokens: 5 } },
});

test("asks with system and user, and gives text and token counts", async () => {
  await using server = await providerServer(() => completion(" A summary.\n", { finish_reason: "stop" }));
  const model = open(server.url);
  assert.equal(model.id, "openai:tiny");
  assert.deepEqual(await model.complete(prompt), {
    text: "A summary.",
    isTruncated: false,
    inputTokens: 12,
    outputTokens: 5,
  });
  assert.deepEqual(JSON.parse(server.seen[0]?.body ?? ""), {
    model: "tiny",
    messages: [
      { role: "system", content: "Summarise." },
      { role: "user", content: "A long text." },
    ],
    max_tokens: 77,
    temperature: 0,
  });
});

test("a cut-off text says so, and odd counts are left out", async () => {
  const choices = [{ message: { content: "Half a" }, finish_reason: "length" }];
  await using server = await providerServer(() => ({
    json: { choices, usage: { prompt_tokens: -1, completion_tokens: "5" } },
  }));
  assert.deepEqual(await open(server.url).complete(prompt), { text: "Half a", isTruncated: true });
});

test("a rate-limited and then failing server is asked again", async () => {
  const replies: Reply[] = [{ status: 429, headers: { "retry-after": "0" } }, { status: 502 }, completion("Done")];
  await using server = await providerServer((_, count) => defined(replies[count - 1]));
  assert.equal((await open(server.url).complete(prompt)).text, "Done");
});

const bad: [string, Reply, ProviderErrorCode][] = [
  ["slow", () => undefined, "provider_unreachable"],
  ["failing", { status: 500 }, "provider_unreachable"],
  ["rate-limited", { status: 429 }, "provider_refused"],
  [
    "refusing",
    { status: 401, json: { error: { message: `bad key ${apiKey}`, code: "invalid_api_key" } } },
    "provider_refused",
  ],
  ["unwilling", { json: { choices: [{ message: { content: null, refusal: "No." } }] } }, "provider_refused"],
  ["nonsensical", { json: [1, 2] }, "provider_nonsense"],
  ["silent", completion("  "), "provider_nonsense"],
  ["endless", completion("x".repeat(100_000)), "provider_nonsense"],
];
for (const [name, reply, code] of bad) {
  test(`the model is ${name}: ${code}`, async () => {
    await using server = await providerServer(() => reply);
    await assert.rejects(open(server.url, name === "slow" ? 100 : undefined).complete(prompt), (error) => {
      assert.ok(error instanceof ProviderError);
      assert.equal(error.code, code);
      return !JSON.stringify([error, error.message, error.stack]).includes(apiKey);
    });
  });
}

test("no address means no model; an address needs a name", () => {
  assert.equal(openModel({}), undefined);
  assert.throws(() => openModel({ url: "http://127.0.0.1" }), InvalidSetting);
  assert.throws(() => openModel({ url: "ftp://x", name: "m" }), InvalidSetting);
});
