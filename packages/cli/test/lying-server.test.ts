import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { targetFile } from "../src/save-stream.ts";
import { FolderDisk } from "../src/sync/disk.ts";
import { Terminal } from "./support.ts";

/** Runs a command against a server that answers as it likes. */
async function runAgainst(answer: RequestListener, ...command: string[]) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return { url, ...(await new Terminal({ SVC_URL: url, SVC_TOKEN: "svc_x" }).run(command)) };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const json =
  (body: object): RequestListener =>
  (_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(body));
  };

test("CMD41 a redirect is refused with the address that it leads to", async () => {
  let asked = 0;
  const { url, code, stderr } = await runAgainst((_, response) => {
    asked++;
    response.writeHead(302, { location: "https://else.example/x" }).end();
  }, "whoami");
  assert.notEqual(code, 0);
  assert.match(stderr, new RegExp(`^svc: ${url} redirects to https://else\\.example/x,`));
  assert.equal(asked, 1);
});

test("CMD41 listings into a pipe have no escapes and no characters that turn the text", async () => {
  const name = "a\u001b[31mred\u001b]0;t\u0007\u202egpj\u009b2J";
  const page = { cursor: null, next_cursor: null, has_more: false };
  const data = [{ id: 1, name, updated_at: 0 }];
  const listing = await runAgainst(json({ data, page, request_id: "r" }), "ls");
  assert.equal(listing.stdout, "a\\x1b[31mred\\x1b]0;t\\x07\\u202egpj\\x9b2J/\n");
  const { stdout } = await runAgainst(json({ data, page, request_id: "r" }), "ls", "--json");
  for (const character of ["\u001b", "\u009b"]) assert.ok(!stdout.includes(character));
  assert.equal(JSON.parse(stdout).items[0].name, name);
});

test("CMD41 a download is called as its file safely can be", () => {
  assert.equal(targetFile(undefined, "in\u202evoice\u200c.pdf", false), "invoice.pdf");
  assert.equal(targetFile(undefined, "git~1", false), "git_1");
  assert.equal(targetFile(undefined, ".GIT", false), "_GIT");
  assert.equal(targetFile(undefined, "a/..\\b", false), "a_.._b");
});

test("CMD41 nothing is written into a repository of Git", async () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-git-"));
  const disk = new FolderDisk(folder);
  for (const path of [".git/config", "git~1/config", ".g\u200cit/config", "x/.GIT/hooks/a"])
    await assert.rejects(disk.makeDirectory(path), /belongs to Git/);
  assert.ok(!existsSync(join(folder, "x", ".GIT")));
  assert.deepEqual(
    readdirSync(folder).filter((name) => name !== "x"),
    [],
  );
});
