import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword } from "@svc/server/domain/identity/accounts/password";
import type { Browser } from "playwright-core";
import { launchChromium, requireChromium } from "../support/chromium.ts";
import { assertStatus, Client, type Loose } from "../support/client.ts";
import { HandProgram } from "../support/consent.ts";
import { makeDocument } from "../support/fixtures.ts";
import { PathProxy } from "../support/path-proxy.ts";
import { Visitor } from "../support/visitor.ts";
import { type Person, World } from "../support/world.ts";

const PASSWORD = "a long enough password";

for (const strips of [true, false])
  describe(`below a path of its host, ${strips ? "which the proxy takes away" : "which the proxy leaves"}`, () => {
    let proxy: PathProxy;
    let world: World;
    let ada: Person;
    let client: Client;
    let browser: Browser | undefined;
    before(async () => {
      proxy = await PathProxy.start("/tools/kb", strips);
      world = new World("sqlite", { SVC_BASE_URL: `${proxy.url}/` });
      await world.start();
      proxy.target = world.directUrl;
      ada = await world.person();
      client = new Client(proxy.url, ada.token);
      const passwordHash = await hashPassword(PASSWORD);
      await world.app.services.database.transaction((tx) =>
        createUser(tx, { email: "ada@example.com", name: "Ada", passwordHash, workspace: ada.workspaceId }),
      );
    });
    after(async () => {
      await browser?.close();
      await proxy[Symbol.asyncDispose]();
      await world.stop();
    });

    const json = async (address: string): Promise<Loose> => (await fetch(address)).json();

    test("BASE3 every address that is told leads back here", async () => {
      assertStatus(await client.get("/me"), 200);
      const description = await json(`${proxy.url}/api/openapi.json`);
      assert.equal(description.servers[0].url, proxy.url);
      assert.equal((await fetch(`${proxy.url}${"/api/v1/me"}`)).status, 401);
      const map = await fetch(`${proxy.url}/llms.txt`);
      assert.equal(map.headers.get("cache-control"), "public, max-age=60");
      const links = [...(await map.text()).matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => defined(link));
      for (const link of links) {
        assert.ok(link.startsWith(proxy.url), link);
        assert.notEqual((await fetch(link)).status, 404, link);
      }
      const { data: codes } = await client.post("/auth/device/code", { client_name: "x" });
      assert.equal(codes.verification_uri, `${proxy.url}/device`);
      const mcp = await fetch(`${proxy.url}/mcp`, { method: "POST" });
      const [, metadata] = /resource_metadata="([^"]+)"/.exec(mcp.headers.get("www-authenticate") ?? "") ?? [];
      const resource = await json(metadata ?? "");
      assert.equal(resource.resource, `${proxy.url}/mcp`);
      const path = new URL(proxy.url).pathname;
      const issuer = await json(`${world.directUrl}/.well-known/oauth-authorization-server${path}`);
      assert.equal(issuer.issuer, resource.authorization_servers[0]);
      assert.equal((await fetch(issuer.token_endpoint, { method: "POST", body: new URLSearchParams() })).status, 400);
    });

    test("BASE3 a program connects, and is answered at its own address", async () => {
      const program = new HandProgram(proxy.url);
      await program.register();
      const browser = new Visitor(proxy.url);
      const origin = new URL(proxy.url).origin;
      const question = program.authorizeUrl().slice(proxy.url.length);
      const asked = await browser.fetch(question);
      assert.match(asked.headers.get("location") ?? "", /^\/tools\/kb\/sign-in\?next=%2Foauth%2Fauthorize/);
      const signedIn = await browser.submit(
        "/sign-in",
        "/sign-in",
        { email: "ada@example.com", password: PASSWORD, next: question },
        { origin },
      );
      assert.equal(signedIn.headers.get("location"), `/tools/kb${question}`);
      const form_token = await browser.formToken(question);
      const fields = { form_token, request: question.replace(/^.*\?/, ""), answer: "approve_read_only" };
      const answer = await browser.send("/oauth/authorize", fields, { origin });
      const back = new URL(answer.headers.get("location") ?? "");
      assert.equal(back.origin + back.pathname, program.redirectUri);
      assert.equal(back.searchParams.get("iss"), proxy.url);
      const { body } = await program.exchange(back.searchParams.get("code") ?? "");
      assertStatus(await new Client(proxy.url, body.access_token).get("/me"), 200);
    });

    test("BASE3 pages, their files, redirects and cookies stay below it", async () => {
      const { id } = await makeDocument(client);
      const { data: share } = await client.post(`/documents/${id}/public-share`);
      for (const address of [`${proxy.url}/sign-in`, `${proxy.url}/api-docs`, share.url]) {
        const page = await fetch(address);
        assert.equal(page.status, 200, address);
        for (const cookie of page.headers.getSetCookie()) assert.match(cookie, /; Path=\/tools\/kb;/);
        const files = [...(await page.text()).matchAll(/ (?:href|src)="([^"#]+)"/g)].map(([, file]) => defined(file));
        assert.ok(files.length > 0);
        for (const file of files) assert.equal((await fetch(new URL(file, address))).status, 200, file);
      }
      const reply = await fetch(`${proxy.url}/knowledge-bases`, { redirect: "manual" });
      assert.equal(reply.headers.get("location"), "/tools/kb/sign-in?next=%2Fknowledge-bases");
    });

    test("BASE4 a person signs in and reads a page", requireChromium(), async () => {
      browser = await launchChromium();
      const { id } = await makeDocument(client, { title: "Below a path", text: "Words on the page." });
      const context = await browser.newContext();
      const page = await context.newPage();
      const failed: string[] = [];
      page.on("response", (response) => void (response.status() >= 400 && failed.push(response.url())));
      await page.goto(`${proxy.url}/documents/${id}`);
      assert.equal(new URL(page.url()).pathname, "/tools/kb/sign-in");
      await page.fill("input[name=email]", "ada@example.com");
      await page.fill("input[name=password]", PASSWORD);
      await page.click("form button");
      await page.waitForURL(`${proxy.url}/documents/${id}`);
      assert.match(await page.innerText("main"), /Words on the page\./);
      await page.goto(`${proxy.url}/search`);
      await page.fill("#q", "words");
      await page.waitForSelector("#results .hits a");
      await page.click("#results .hits a");
      await page.waitForURL(new RegExp(`/tools/kb/documents/${id}`));
      const addresses = await page.$$eval("[href], [src], form", (all) =>
        all.map((one: Loose) => one.href ?? one.src ?? one.action),
      );
      const ours = addresses.filter((one): one is string => typeof one === "string" && one.startsWith("http://127."));
      assert.ok(ours.length > 5);
      for (const address of ours) assert.ok(address.startsWith(`${proxy.url}/`), address);
      assert.deepEqual([failed, proxy.missed], [[], []]);
    });
  });
