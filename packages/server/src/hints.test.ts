import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { hints, whereListed } from "./hints.ts";

test("ENV10 every call that a hint names is one of the service's", () => {
  const { paths } = JSON.parse(readFileSync(`${import.meta.dirname}/../../../openapi.json`, "utf8"));
  const calls = [...Object.values(hints), ...Object.values(whereListed)].flatMap((hint) => [
    ...hint.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}-]+)/g),
  ]);
  assert.ok(calls.length > 20);
  for (const [said, method = "", path = ""] of calls) assert.ok(paths[`/api/v1${path}`]?.[method.toLowerCase()], said);
});
