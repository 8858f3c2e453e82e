import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword } from "@svc/server/domain/identity/accounts/password";
import { jsonOf } from "./client.ts";
import { Visitor } from "./visitor.ts";
import type { World } from "./world.ts";

const PASSWORD = "three unrelated words";
let passwordHash: Promise<string> | undefined;

/** A person with a session in a browser. */
export async function personWithBrowser(world: World, join: { workspace?: string; role?: "viewer" } = {}) {
  passwordHash ??= hashPassword(PASSWORD);
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const hash = await passwordHash;
  const { database } = world.app.services;
  const user = await database.transaction((tx) => createUser(tx, { email, name: "Ada", passwordHash: hash, ...join }));
  const browser = new Visitor(world.url);
  const reply = await browser.submit("/sign-in", "/sign-in", { email, password: PASSWORD });
  assert.equal(reply.status, 303);
  return { ...user, browser };
}

export type Answer = "approve" | "approve_suggest" | "approve_read_only" | "deny";

/** Opens the address that a program sends its person to, and answers; gives the address that the browser is sent on to. */
export async function consent(
  browser: Visitor,
  address: string | URL,
  answer: Answer = "approve",
  fields: Record<string, string> = {},
): Promise<URL> {
  const { pathname, search } = new URL(address);
  const page = await browser.fetch(pathname + search);
  const text = await page.text();
  assert.equal(page.status, 200, text);
  const form_token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const request = search.slice(1);
  const reply = await browser.send("/oauth/authorize", { form_token, request, answer, ...fields });
  assert.equal(reply.status, 303, await reply.text());
  return new URL(reply.headers.get("location") ?? "");
}

/** A program that knows OAuth by heart and takes every step by hand, so that a test can take a wrong one. */
export class HandProgram {
  readonly url: string;
  readonly redirectUri: string;
  readonly verifier = randomBytes(32).toString("base64url");
  clientId = "";

  constructor(url: string, redirectUri = "http://127.0.0.1:9/callback") {
    this.url = url;
    this.redirectUri = redirectUri;
  }

  get challenge(): string {
    return createHash("sha256").update(this.verifier).digest("base64url");
  }

  async register(metadata: object = {}) {
    const body = JSON.stringify({ client_name: "By hand", redirect_uris: [this.redirectUri], ...metadata });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${this.url}/oauth/register`, { method: "POST", headers, body });
    const answer = await jsonOf(response);
    this.clientId = answer.client_id ?? this.clientId;
    return { status: response.status, headers: response.headers, body: answer };
  }

  authorizeUrl(change: Record<string, string | undefined> = {}): string {
    const fields = {
      response_type: "code",
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      code_challenge: this.challenge,
      code_challenge_method: "S256",
      state: "a state",
      ...change,
    };
    const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
    return `${this.url}/oauth/authorize?${new URLSearchParams(given)}`;
  }

  async form(path: string, fields: Record<string, string>) {
    const response = await fetch(this.url + path, { method: "POST", body: new URLSearchParams(fields) });
    return { status: response.status, headers: response.headers, body: await jsonOf(response) };
  }

  exchange(code: string, change: Record<string, string> = {}) {
    const fields = { grant_type: "authorization_code", code, client_id: this.clientId };
    return this.form("/oauth/token", {
      ...fields,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      ...change,
    });
  }

  refresh(refreshToken: string, change: Record<string, string> = {}) {
    const fields = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: this.clientId };
    return this.form("/oauth/token", { ...fields, ...change });
  }

  /** The whole way; gives the answer of the token endpoint. */
  async connect(browser: Visitor, answer: Answer = "approve", change: Record<string, string> = {}) {
    if (this.clientId === "") await this.register();
    const code = (await consent(browser, this.authorizeUrl(change), answer)).searchParams.get("code") ?? "";
    return { code, ...(await this.exchange(code)) };
  }
}
