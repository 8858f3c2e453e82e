import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DEFAULT_SETS } from "@svc/mcp/tool-sets";
import { tools } from "@svc/mcp/tools/index";
import { makeDocument } from "../../server/test/support/fixtures.ts";
import { type Person, World } from "../../server/test/support/world.ts";

const run = promisify(execFile);
/** Its command line without the launcher of the browser part. It looks for its package.json from where it is started. */
const INSPECTOR = fileURLToPath(
  new URL("index.js", import.meta.resolve("@modelcontextprotocol/inspector-cli/build/cli.js")),
);

describe("MCP with the official inspector", () => {
  const world = new World("sqlite", {});
  let person: Person;
  before(async () => {
    await world.start();
    person = await world.person();
  });
  after(() => world.stop());

  async function inspect(...args: string[]) {
    const header = `Authorization: Bearer ${person.token}`;
    const given = [INSPECTOR, `${world.url}/mcp`, "--transport", "http", "--header", header, ...args];
    const { stdout } = await run(process.execPath, given, { timeout: 120_000, cwd: dirname(INSPECTOR) });
    return JSON.parse(stdout);
  }

  test("it lists the tools", async () => {
    const listed = (await inspect("--method", "tools/list")).tools.map(({ name }: { name: string }) => name);
    assert.deepEqual(
      listed,
      tools.filter(({ set }) => DEFAULT_SETS.includes(set)).map(({ name }) => name),
    );
  });

  test("it calls a tool and reads a document as a resource", async () => {
    const document = await makeDocument(person.client, { text: "A needle.\n" });
    const called = await inspect("--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=needle");
    assert.match(called.content[0].text, /A needle\./);
    const { contents } = await inspect("--method", "resources/read", "--uri", document.uri);
    assert.equal(contents[0].text, "A needle.\n");
  });
});
