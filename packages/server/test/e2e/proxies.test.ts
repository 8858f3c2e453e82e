import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { discoverAuthorizationServerMetadata } from "@modelcontextprotocol/client";
import { assertStatus, Client, type Loose } from "../support/client.ts";
import { HandProgram } from "../support/consent.ts";
import { missing, WebProxy, webProxies } from "../support/web-proxies.ts";
import { type Person, World } from "../support/world.ts";

for (const program of webProxies)
  describe(`below a path of ${program.name}`, { skip: missing(program) }, () => {
    let proxy: WebProxy;
    let world: World;
    let ada: Person;
    before(async () => {
      proxy = await WebProxy.reserve();
      world = new World("sqlite", { SVC_BASE_URL: `${proxy.origin}/kb` });
      await world.start();
      ada = await world.person();
    });
    after(async () => {
      await proxy[Symbol.asyncDispose]();
      await world.stop();
    });

    const json = async (address: string): Promise<Loose> => {
      const answer = await fetch(address);
      assert.equal(answer.status, 200, address);
      return (await answer.json()) as Loose;
    };

    for (const strips of [false, true])
      for (const wellKnown of [false, true])
        test(`BASE3 clients find the way in where the path is ${strips ? "taken away" : "left"}${wellKnown ? ", with the block for /.well-known/" : ""}`, async () => {
          await proxy.start(program, world.directUrl, { strips, wellKnown });
          try {
            const base = `${proxy.origin}/kb`;
            assertStatus(await new Client(base, ada.token).get("/me"), 200);
            const refused = await fetch(`${base}/mcp`, { method: "POST" });
            const [, address = ""] =
              /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "") ?? [];
            const { authorization_servers: issuers } = await json(address);
            assert.deepEqual(issuers, [base]);
            const found = await discoverAuthorizationServerMetadata(base);
            assert.equal(found?.token_endpoint, `${base}/oauth/token`);
            assert.deepEqual(await json((await json(`${base}/.well-known/openid-configuration`)).jwks_uri), {
              keys: [],
            });
            assert.equal((await json(`${base}/.well-known/oauth-authorization-server`)).issuer, base);
            const atRoot = `${proxy.origin}/.well-known/oauth-authorization-server/kb`;
            if (wellKnown) assert.equal((await json(atRoot)).issuer, base);
            else assert.equal((await fetch(atRoot)).status, 404);
            await new HandProgram(base).register();
          } finally {
            await proxy.stop();
          }
        });
  });
