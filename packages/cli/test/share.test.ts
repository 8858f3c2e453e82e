import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { withTerminal } from "./support.ts";

describe("svc share", () => {
  const context = withTerminal();
  const svc = () => context.terminal;
  before(async () => {
    await svc().json("kb", "create", "Handbook");
    await svc().json("mkdir", "Handbook/Guides");
    await svc().json("new", "Handbook/Guides/Page", "--text", "Hello.");
  });

  test("SHARE13 links of documents and folders are made, changed, listed and withdrawn", async () => {
    const { url } = await svc().json("share", "Handbook/Guides/Page");
    assert.equal((await fetch(url)).status, 200);
    const changed = await svc().json("share", "Handbook/Guides/Page", "--password", "sesame", "--expires-in-days", "2");
    assert.deepEqual([changed.url, changed.has_password], [url, true]);
    assert.ok(changed.expires_at > Date.now());
    assert.equal((await fetch(url)).status, 401);
    assert.equal((await svc().json("share", "Handbook/Guides/Page", "--no-password")).has_password, false);
    const site = await svc().json("share", "Handbook/Guides");
    assert.match(await (await fetch(site.url)).text(), />Page<\/a>/);
    const { shares } = await svc().json("share", "--list");
    assert.deepEqual(
      shares.map((share: { kind: string; title: string }) => [share.kind, share.title]),
      [
        ["folder", "Guides"],
        ["document", "Page"],
      ],
    );
    assert.match(await svc().text("share", "Handbook/Guides", "--off"), /is gone/);
    assert.equal((await fetch(site.url)).status, 404);
  });
});
