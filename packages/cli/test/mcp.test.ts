import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { SVC } from "../../server/test/support/process.ts";
import { shelf, withTerminal } from "./support.ts";

describe("svc mcp", () => {
  const context = withTerminal();

  test("CMD30 an agent's program starts it and finds what there is", async () => {
    await shelf(context.person, "Zoo", { Penguin: "It swims well." });
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [SVC, "mcp"], env: context.terminal.env }),
    );
    try {
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === "search"));
      const found = await client.callTool({ name: "search", arguments: { query: "swims" } });
      assert.match(JSON.stringify(found.content), /Penguin/);
    } finally {
      await client.close();
    }
  });

  test("CMD30 whoever is not signed in hears so before anything is said on standard output", async () => {
    const done = await context.terminal.run(["mcp"], { env: { SVC_TOKEN: "svc_tok_wrong" } });
    assert.deepEqual([done.code, done.stdout], [5, ""]);
  });

  test("CMD30 a set of tools that is not there is refused with those that are", async () => {
    const done = await context.terminal.run(["mcp", "--tools", "core,nonsense"]);
    assert.deepEqual([done.code, done.stdout], [2, ""]);
    assert.match(done.stderr, /no set of tools "nonsense"\. The sets are core, /);
  });
});
