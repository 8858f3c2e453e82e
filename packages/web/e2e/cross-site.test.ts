import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { after, before, test } from "node:test";
import { portOf } from "@svc/server/http/port-of";
import { assertError, assertStatus, Client } from "../../server/test/support/client.ts";
import { inBrowser } from "./browser.ts";
import { signedIn } from "./people.ts";

/** Another site: it shows a form of its own that posts to us as soon as it is opened. */
class ForeignSite {
  #server: Server | undefined;
  #page = "";
  url = "";

  async start(): Promise<void> {
    this.#server = createServer((_request, response) =>
      response.setHeader("content-type", "text/html").end(this.#page),
    ).listen(0);
    await new Promise((resolve) => this.#server?.once("listening", resolve));
    this.url = `http://localhost:${portOf(this.#server)}/`;
  }

  stop = () => new Promise((resolve) => this.#server?.close(resolve));

  willShow(page: string): void {
    this.#page = page;
  }

  willPost(action: string, fields: Record<string, string>): void {
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
    this.#page = `<form method="post" action="${action}">${inputs.join("")}</form><script>document.forms[0].submit()</script>`;
  }
}

inBrowser("a cross-site form", (stage) => {
  const evil = new ForeignSite();
  before(() => evil.start());
  after(() => evil.stop());

  /** Our own address, under a name that the other site shares, so that even Lax cookies would travel. */
  const sameSiteUrl = () => stage.world.url.replace("127.0.0.1", "localhost");

  /** The victim's own proof, as if it had leaked: the origin check must hold alone. */
  const attack = async (baseURL: string, path: string, fields: (formToken: string) => Record<string, string>) => {
    const { page, account } = await signedIn(stage, { browser: { baseURL } });
    await page.goto("/account");
    const formToken = (await page.locator("[name=form_token]").first().getAttribute("value")) ?? "";
    evil.willPost(`${baseURL}${path}`, fields(formToken));
    await page.goto(evil.url);
    await page.waitForURL((url) => url.pathname === path || url.pathname === "/sign-in");
    return { page, account };
  };

  for (const site of ["another site", "the same site, another port"]) {
    const baseUrl = () => (site === "another site" ? stage.world.url : sameSiteUrl());

    test(`WEB6 from ${site} approves no device`, async () => {
      const program = new Client(stage.world.url);
      const { data } = assertStatus(await program.post("/auth/device/code", { client_name: "x" }), 200);
      for (const withToken of [true, false]) {
        const base = { code: data.user_code, answer: "approve" };
        await attack(baseUrl(), "/device", (token) => (withToken ? { ...base, form_token: token } : base));
      }
      const reply = await program.post("/auth/device/token", { device_code: data.device_code });
      assertError(reply, "authorization_pending");
    });

    test(`WEB6 from ${site} makes no token`, async () => {
      const fields = { name: "evil", access: "read_write", days: "never" };
      const { account } = await attack(baseUrl(), "/account/tokens", (form_token) => ({ ...fields, form_token }));
      const { read } = stage.world.app.services.database;
      const tokens = await read.selectFrom("tokens").selectAll().where("user_id", "=", account.userId).execute();
      assert.equal(tokens.length, 0);
    });

    test(`WEB6 from ${site} ends no session`, async () => {
      const { page } = await attack(baseUrl(), "/sign-out", (form_token) => ({ form_token }));
      await page.goto(`${baseUrl()}/account`);
      await page.getByRole("heading", { name: "Account" }).waitFor();
    });
  }

  test("WEB6 cannot hold our pages in a frame", async () => {
    const { page } = await signedIn(stage);
    evil.willShow(`<style></style><iframe src="${stage.world.url}/device"></iframe>`);
    await page.goto(evil.url);
    const frame = page.frames().find((one) => one !== page.mainFrame());
    assert.equal(await frame?.getByLabel("Code").count(), 0);
    assert.match(frame?.url() ?? "", /^chrome-error:/);
  });
});
