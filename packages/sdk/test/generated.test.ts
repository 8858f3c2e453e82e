import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { VERSION } from "@svc/sdk";
import { GENERATED, readDescription, sdkTypes } from "../../../scripts/sdk-types.ts";

test("SDK1 the committed types are what the description gives (npm run openapi)", () => {
  assert.ok(readFileSync(GENERATED, "utf8") === sdkTypes(readDescription()), `${GENERATED} is out of date`);
});

test("SDK14 the version that a client tells is the package's", () => {
  assert.equal(VERSION, JSON.parse(readFileSync("packages/sdk/package.json", "utf8")).version);
});
