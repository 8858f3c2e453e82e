import assert from "node:assert/strict";
import { test } from "node:test";
import { isAllowedOrigin } from "./origin.ts";

const allowed = ["https://svc.example.com", "https://agent.example.com:8443"];
const cases: [string | undefined, boolean][] = [
  [undefined, true],
  ["https://svc.example.com", true],
  ["https://agent.example.com:8443", true],
  ["http://localhost:6274", true],
  ["http://127.0.0.1:3000", true],
  ["http://[::1]:3000", true],
  ["http://svc.example.com", false],
  ["https://agent.example.com", false],
  ["https://evil.example.com", false],
  ["https://svc.example.com.evil.com", false],
  ["http://localhost.evil.com", false],
  ["http://127.0.0.1.evil.com", false],
  ["null", false],
  ["", false],
  ["file://", false],
];
for (const [origin, expected] of cases)
  test(`MCP4 the origin ${JSON.stringify(origin)} is ${expected ? "let in" : "refused"}`, () => {
    assert.equal(isAllowedOrigin(origin, allowed), expected);
  });
