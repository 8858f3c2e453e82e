import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";
import { fileOf } from "../support/process.ts";

/**
 * Tests that read their own writes in every way: through caches, indexes, keys, streams and
 * leases. `npm run test:processes` runs every contract test this way.
 */
const files = ["bodies/batch", "library/documents", "http/idempotency", "search/search"];

describe("the contract over two processes", () => {
  for (const name of files)
    test(`${name} with requests alternating between two processes`, async () => {
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const child = spawn(process.execPath, ["--test", fileOf(`packages/server/test/contract/${name}.test.ts`)], {
        env: { ...env, SVC_TEST_PROCESSES: "2" },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [output, code] = await Promise.all([
        text(child.stdout),
        new Promise<number | null>((ended) => child.once("close", ended)),
      ]);
      assert.equal(code, 0, output);
      assert.doesNotMatch(output, /^ℹ tests 0$/m);
    });
});
