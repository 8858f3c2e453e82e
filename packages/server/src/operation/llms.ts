import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { baseUrlOf, keptWithAddress } from "../http/base-url.ts";

/** A short map for programs that read the site as text (https://llmstxt.org). */
const map = (base: string): string => `# svc

> Knowledge bases, folders and documents with stable, addressable blocks, for agents, scripts and people. With a shell, the \`svc\` command is the cheapest way in; else tools over MCP at ${base}/mcp, or the HTTP/JSON API at ${base}/api/v1.

## The svc command

\`SVC_URL=${base} SVC_TOKEN=… svc search words\`, \`svc cat Base/Folder/Title --section Heading\`, \`svc replace <document> <old> <new>\`, \`svc append <document> --section Heading --text '- item'\`, \`svc changes --since 1d\`, \`svc --help\`. \`svc mcp\` serves the MCP tools over standard input and output, for clients that start a program.

How to get it: \`npx @svc-kb/cli search words\` with Node 24, or \`npm install --global @svc-kb/cli\` for \`svc\` everywhere (a package called \`svc\` is somebody else's). In a clone run \`npm ci\`, then \`npx svc\` in that folder. Without Node, use MCP or HTTP.

## Authorisation

A call needs a bearer token (\`Authorization: Bearer svc_tok_…\`). Without one: \`svc login ${base}\`, or \`POST ${base}/api/v1/auth/device/code\` with \`{"client_name": "<your name>"}\`, show the person \`verification_uri_complete\`, then poll \`POST ${base}/api/v1/auth/device/token\` with the \`device_code\` until it answers the token. A person can also make one in the account menu of ${base}/.

## For agents without a shell

- [MCP server](${base}/mcp): Streamable HTTP, the same bearer token; tools for search, reading within a budget, edits by text, changes, history and discussion; \`/mcp?tools=core,review,concepts,translations\` (also notifications, blocks, knowledge, all) picks what is shown
- [API guide and index](${base}/api-docs.md): a guide for agents, and a Markdown page for each subject

## For programs

- [OpenAPI 3.1](${base}/api/openapi.json): the machine-readable description
- [Protected resource metadata](${base}/.well-known/oauth-protected-resource/mcp): how to authorise for MCP
- [Authorization server metadata](${base}/.well-known/oauth-authorization-server): the endpoints of OAuth: browser login with PKCE, device grant, registration

## Optional

- [Interactive reference](${base}/api-docs): the same calls on a page, for people
`;

export function mountLlms(server: FastifyInstance, config: Config): void {
  server.get("/llms.txt", async (request, reply) =>
    reply
      .headers(keptWithAddress(config))
      .type("text/plain; charset=utf-8")
      .send(map(baseUrlOf(request, config))),
  );
}
