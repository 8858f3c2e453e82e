import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { portOf } from "@svc/server/http/port-of";
import Provider from "oidc-provider";
import { Visitor } from "./visitor.ts";

/** Somebody whom the provider knows. */
export interface Known {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

const CLIENT = { client_id: "svc", client_secret: "a-secret-that-only-the-two-know" };

/**
 * A real OpenID provider on a port of its own. Whoever comes signs in at once as the person that the test named, or is
 * refused when it named nobody.
 */
export class TestProvider {
  person: Known | undefined;
  /** Replacements for the next answers of its token endpoint. */
  tokenAnswer: { readonly status: number; readonly body: string } | undefined;
  /** Changes the ID tokens that its token endpoint answers. */
  changeIdToken: ((token: string) => string) | undefined;
  /** The queries with which browsers were sent here. */
  readonly asked: URLSearchParams[] = [];
  readonly #known = new Map<string, Known>();
  #provider: Provider | undefined;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<void> {
    await new Promise<void>((listening) => this.#server.listen(0, "127.0.0.1", listening));
  }

  get issuer(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  /** Settings for a server that uses it. */
  get settings(): Record<string, string> {
    return {
      SVC_OIDC_ISSUER: this.issuer,
      SVC_OIDC_CLIENT_ID: CLIENT.client_id,
      SVC_OIDC_CLIENT_SECRET: CLIENT.client_secret,
    };
  }

  /** Lets a server in that takes answers at this address. */
  register(redirectUri: string): void {
    this.#provider = new Provider(this.issuer, {
      clients: [{ ...CLIENT, redirect_uris: [redirectUri] }],
      pkce: { required: () => true },
      cookies: { keys: ["for the test alone"] },
      features: { devInteractions: { enabled: false } },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
      scopes: ["openid", "email", "profile", "groups"],
      interactions: { url: () => "/interaction" },
      findAccount: (_context: unknown, id: string) => {
        const known = this.#known.get(id);
        return known && { accountId: id, claims: () => known };
      },
      loadExistingGrant: async (context: {
        oidc: { session: { accountId: string }; client: { clientId: string }; params: { scope: string } };
      }) => {
        const { session, client, params } = context.oidc;
        const grant = new (this.#provider as Provider).Grant({
          accountId: session.accountId,
          clientId: client.clientId,
        });
        grant.addOIDCScope(params.scope);
        await grant.save();
        return grant;
      },
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", this.issuer);
    if (pathname === "/auth") this.asked.push(searchParams);
    if (pathname === "/token" && this.tokenAnswer) {
      const { status, body } = this.tokenAnswer;
      response.writeHead(status, { "content-type": "application/json" }).end(body);
      return;
    }
    if (pathname === "/token" && this.changeIdToken) changeBody(response, this.changeIdToken);
    if (!this.#provider) response.writeHead(503).end();
    else if (pathname === "/interaction") await this.#interact(request, response, this.#provider);
    else this.#provider.callback()(request, response);
  }

  async #interact(request: IncomingMessage, response: ServerResponse, provider: Provider): Promise<void> {
    if (!this.person) {
      const refusal = { error: "access_denied", error_description: "Not you." };
      return provider.interactionFinished(request, response, refusal);
    }
    this.#known.set(this.person.sub, this.person);
    return provider.interactionFinished(request, response, { login: { accountId: this.person.sub } });
  }

  /** Follows a browser that was sent here until it is sent away; gives where to. */
  async visit(address: string): Promise<string> {
    const browser = new Visitor(this.issuer);
    let next = address;
    for (let steps = 0; steps < 10 && next.startsWith(this.issuer); steps++) {
      const reply = await browser.fetch(next.slice(this.issuer.length));
      const location = reply.headers.get("location");
      if (!location) throw new Error(`The provider answers ${reply.status}: ${await reply.text()}`);
      next = new URL(location, next).href;
    }
    return next;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** Changes the ID token in an answer just before it is sent. */
function changeBody(response: ServerResponse, change: (token: string) => string): void {
  const end = response.end.bind(response) as (body: string) => ServerResponse;
  response.end = ((body: unknown) => {
    const answer = JSON.parse(String(body));
    const changed = JSON.stringify({ ...answer, id_token: change(answer.id_token) });
    response.setHeader("content-length", Buffer.byteLength(changed));
    return end(changed);
  }) as typeof response.end;
}
