import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ApiError, ConnectionError } from "@svc/sdk";
import { INSTRUCTIONS } from "./instructions.ts";
import { prompts } from "./prompts.ts";
import { nextSteps, refusalText } from "./refusal.ts";
import { tools } from "./tools/index.ts";

const refusal = (code: string, details: Record<string, unknown> = {}, retryAfterMs?: number) =>
  new ApiError(
    {
      status: 409,
      body: { error: { type: "request_error", code, message: "Said.", details }, request_id: "req_1" } as never,
      retryAfterMs,
    },
    { attempts: 1, uncertain: false },
  );

test("MCP16 a refusal says its code, the next step, the details and the request", () => {
  assert.equal(
    refusalText(refusal("version_conflict", { hint: "Use HTTP.", current_version: "v2" })),
    [
      "**version_conflict** (409): Said.",
      `Next: ${nextSteps.version_conflict}`,
      'Details: {"current_version":"v2"}',
      "request_id: req_1",
    ].join("\n"),
  );
  assert.match(refusalText(refusal("folder_cycle", { hint: "Choose another." })) ?? "", /^Next: Choose another\.$/m);
  assert.match(refusalText(refusal("rate_limited", {}, 1500)) ?? "", /^Next: Wait 2 seconds/m);
  assert.match(refusalText(new ConnectionError("timeout", "No answer.")) ?? "", /\(timeout\): No answer\./);
  assert.equal(refusalText(new Error("bug")), undefined);
});

const known = readFileSync(`${import.meta.dirname}/../../../openapi.json`, "utf8");

test("MCP16 every code that has a step of its own is one of the service's", () => {
  for (const code of Object.keys(nextSteps)) assert.ok(known.includes(`"${code}"`), code);
});

test("MCP16 steps, instructions, descriptions and prompts name only tools that there are", () => {
  const names = new Set(tools.map(({ name }) => name));
  const texts = [...Object.values(nextSteps), INSTRUCTIONS, ...tools.map(({ description }) => description)];
  texts.push(...prompts.map(({ text }) => text({})));
  const verbs = /\b(?:read|write|get|edit|create|roll|save|change)_[a-z]+\b/g;
  const actions = new Set(JSON.stringify(tools.map(({ input }) => input.def)).match(/"[a-z_]+"/g) ?? []);
  for (const [found] of texts.flatMap((text) => [...text.matchAll(verbs)]))
    assert.ok(names.has(found) || actions.has(`"${found}"`), found);
});
