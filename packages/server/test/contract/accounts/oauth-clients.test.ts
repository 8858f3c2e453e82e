/** Programs that nobody here wrote connect by OAuth alone. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  Client as McpClient,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { defined } from "@svc/document/defined";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { Client, type Loose } from "../../support/client.ts";
import { type Answer, consent, personWithBrowser } from "../../support/consent.ts";
import type { Visitor } from "../../support/visitor.ts";
import { onEachDatabase } from "../../support/world.ts";

const REDIRECT = "http://127.0.0.1:9/callback";

/** The state that an agent's program keeps for the official client. */
class Keeper implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { client_name: "Official client", redirect_uris: [REDIRECT] };
  readonly asked: URL[] = [];
  kept: Record<string, Loose> = {};

  #keep = (name: string, value: unknown) => {
    this.kept = { ...this.kept, [name]: value };
  };
  clientInformation = () => this.kept.client;
  saveClientInformation = (value: unknown) => this.#keep("client", value);
  tokens = () => this.kept.tokens;
  saveTokens = (value: unknown) => this.#keep("tokens", value);
  saveCodeVerifier = (value: string) => this.#keep("verifier", value);
  codeVerifier = () => this.kept.verifier ?? "";
  redirectToAuthorization = (url: URL) => void this.asked.push(url);
}

onEachDatabase("programs of others", (world) => {
  /** Connects the official client as far as the person's answer, and again with it. */
  async function connected(browser: Visitor, keeper: Keeper, answer: Answer): Promise<McpClient> {
    const begin = new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { authProvider: keeper });
    const client = () => new McpClient({ name: "official", version: "1.0.0" });
    await assert.rejects(client().connect(begin), UnauthorizedError);
    const sentTo = await consent(browser, keeper.asked.at(-1) ?? "", answer);
    await begin.finishAuth(sentTo.searchParams);
    const again = client();
    await again.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { authProvider: keeper }));
    return again;
  }

  test("OAUTH20 the official MCP client registers, asks, works, refreshes and steps up", async () => {
    const { browser } = await personWithBrowser(world);
    const keeper = new Keeper();
    const client = await connected(browser, keeper, "approve_read_only");
    assert.ok((await client.listTools()).tools.some(({ name }) => name === "search"));
    assert.equal(keeper.asked.at(-1)?.searchParams.get("resource"), `${world.url}/mcp`);

    const { access_token } = keeper.kept.tokens;
    await world.app.services.database.transaction((tx) => tx.updateTable("tokens").set({ expires_at: 1 }).execute());
    await client.listTools();
    assert.notEqual(keeper.kept.tokens.access_token, access_token);

    const before = keeper.asked.length;
    await assert.rejects(client.callTool({ name: "create_document", arguments: {} }));
    assert.equal(keeper.asked.length, before + 1, "it asks the person for more");
    assert.match(keeper.asked.at(-1)?.searchParams.get("scope") ?? "", /documents:write/);
    await client.close();
  });

  test("OAUTH20 openid-client registers, asks, exchanges, refreshes and revokes", async () => {
    const { browser, userId } = await personWithBrowser(world);
    const plain = { execute: [openid.allowInsecureRequests], algorithm: "oauth2" as const };
    const config = await openid.dynamicClientRegistration(
      new URL(world.url),
      { client_name: "openid-client", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
      openid.None(),
      plain,
    );
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      scope: "documents:read",
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
      resource: `${world.url}/mcp`,
    });
    const sentTo = await consent(browser, address, "approve_read_only");
    const tokens = await openid.authorizationCodeGrant(config, sentTo, { pkceCodeVerifier, expectedState });
    assert.equal(tokens.scope, "documents:read");
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
    const me = () => new Client(world.url, refreshed.access_token).get("/me");
    assert.equal((await me()).data.user.id, userId);
    await openid.tokenRevocation(config, refreshed.refresh_token ?? "");
    assert.equal((await me()).status, 401);
  });

  test("OAUTH20 oauth4webapi, which checks every answer, finds nothing wrong", async () => {
    const { browser } = await personWithBrowser(world);
    const plain = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(world.url);
    const resource = new URL(`${world.url}/mcp`);
    await oauth.processResourceDiscoveryResponse(resource, await oauth.resourceDiscoveryRequest(resource, plain));
    const discovery = await oauth.discoveryRequest(issuer, { ...plain, algorithm: "oauth2" });
    const server = await oauth.processDiscoveryResponse(issuer, discovery);
    const metadata = { client_name: "oauth4webapi", redirect_uris: [REDIRECT] };
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(server, metadata, plain),
    );
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const address = new URL(server.authorization_endpoint ?? "");
    address.search = new URLSearchParams({
      response_type: "code",
      client_id: client.client_id,
      redirect_uri: REDIRECT,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
    }).toString();
    const params = oauth.validateAuthResponse(server, client, await consent(browser, address), state);
    const authentication = oauth.None();
    const reply = await oauth.authorizationCodeGrantRequest(
      ...([server, client, authentication, params, REDIRECT, verifier, plain] as const),
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, reply);
    const refresh = await oauth.refreshTokenGrantRequest(
      ...([server, client, authentication, tokens.refresh_token ?? "", plain] as const),
    );
    const again = await oauth.processRefreshTokenResponse(server, client, refresh);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, authentication, again.refresh_token ?? "", plain),
    );
    assert.equal((await new Client(world.url, again.access_token).get("/me")).status, 401);
  });

  test("OAUTH20 mcp-remote connects a program that knows only standard input and output", async () => {
    const { browser } = await personWithBrowser(world);
    const kept = mkdtempSync(join(tmpdir(), "svc-remote-"));
    const program = fileURLToPath(import.meta.resolve("mcp-remote/dist/proxy.js"));
    const child = spawn(process.execPath, [program, `${world.url}/mcp`, "--allow-http", "--transport", "http-only"], {
      env: { PATH: "", HOME: kept, MCP_REMOTE_CONFIG_DIR: kept },
      stdio: ["pipe", "pipe", "pipe"],
    });
    try {
      let told = "";
      const address = new Promise<string>((found, failed) => {
        child.stderr.on("data", (bytes) => {
          told += bytes;
          const match = /(http:\/\/\S+\/oauth\/authorize\?\S+)/.exec(told);
          if (match) found(defined(match[1]));
        });
        child.once("exit", () => failed(new Error(told)));
      });
      const answered = new Promise<string>((found) => {
        let text = "";
        child.stdout.on("data", (bytes) => {
          text += bytes;
          if (text.includes('"id":2')) found(text);
        });
      });
      const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      const clientInfo = { name: "stdio", version: "1" };
      send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
      send({ method: "notifications/initialized" });
      send({ id: 2, method: "tools/list" });
      const sentTo = await consent(browser, await address);
      assert.equal((await fetch(sentTo)).status, 200);
      assert.match(await answered, /"name":"search"/);
    } finally {
      child.kill();
      rmSync(kept, { recursive: true, force: true });
    }
  });
});
