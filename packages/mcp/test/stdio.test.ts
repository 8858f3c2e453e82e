import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { DEFAULT_SETS } from "@svc/mcp/tool-sets";
import { tools } from "@svc/mcp/tools/index";
import { makeDocument } from "../../server/test/support/fixtures.ts";
import { fileOf } from "../../server/test/support/process.ts";
import { World } from "../../server/test/support/world.ts";
import { Agent, valueIn } from "./support/agent.ts";

const PROGRAM = fileOf("packages/mcp/test/support/stdio-program.ts");

describe("MCP over standard input and output", () => {
  const world = new World("sqlite", {});
  before(() => world.start());
  after(() => world.stop());

  const connect = async (token: string, mode: "auto" | "legacy" = "legacy") => {
    const client = new Client({ name: "test-agent", version: "1.0.0" }, { versionNegotiation: { mode } });
    const env = { PATH: process.env.PATH ?? "", SVC_URL: world.url, SVC_TOKEN: token };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM], env }));
    return new Agent(client);
  };

  test("MCP50 the same tools, with the rights of the token, over HTTP behind", async () => {
    const { client, token } = await world.person();
    const { id: document_id } = await makeDocument(client, { text: "Old.\n" });
    const agent = await connect(token);
    assert.deepEqual(
      await agent.toolNames(),
      tools.filter(({ set }) => DEFAULT_SETS.includes(set)).map(({ name }) => name),
    );
    const read = await agent.ok("read_document", { document_id });
    const base_version = valueIn(read.text, "version");
    const written = await agent.ok("write_document", { document_id, base_version, markdown: "New." });
    const { version } = (await client.get(`/documents/${document_id}`)).data;
    assert.ok(version.startsWith(`sha256:${valueIn(written.text, "version")}`));
    await agent.refused("version_conflict", "write_document", { document_id, base_version, markdown: "Newer." });
    const { contents } = await agent.client.readResource({ uri: `svc://doc/${document_id}` });
    assert.match(JSON.stringify(contents), /New\./);
    await agent.close();
  });

  test("MCP50 a client of the newest revision is served too", async () => {
    const agent = await connect((await world.person({ access: "read_only" })).token, "auto");
    assert.equal(agent.client.getNegotiatedProtocolVersion(), "2026-07-28");
    assert.deepEqual(
      await agent.toolNames(),
      tools.filter(({ readOnly, set }) => readOnly && DEFAULT_SETS.includes(set)).map(({ name }) => name),
    );
    await agent.close();
  });

  test("MCP51 it ends with its input; a token that is no good ends it at once, with a word on standard error", async () => {
    const env = { PATH: process.env.PATH ?? "", SVC_URL: world.url, SVC_TOKEN: (await world.person()).token };
    const child = spawn(process.execPath, [PROGRAM], { env, stdio: ["pipe", "pipe", "inherit"] });
    child.stdin.end();
    assert.equal((await once(child, "exit"))[0], 0);
    const wrong = spawn(process.execPath, [PROGRAM], { env: { ...env, SVC_TOKEN: "svc_tok_wrong" } });
    const [said, output, [code]] = await Promise.all([text(wrong.stderr), text(wrong.stdout), once(wrong, "exit")]);
    assert.equal(code, 1);
    assert.match(said, /token is not valid/);
    assert.equal(output, "");
  });
});
