import { html } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { copyable } from "../../../shared/parts.ts";

const settings = (value: unknown): string => JSON.stringify(value);

/** How to connect an agent: its address, settings for common programs, and the command for agents with a shell. */
export const connectPage = ({ baseUrl }: { readonly baseUrl: string }): Page => {
  const url = `${baseUrl}/mcp`;
  return {
    title: "Connect an agent",
    shape: "settings",
    scripts: ["document.js"],
    main: html`<h1>Connect an agent</h1>
<section class="card" aria-labelledby="address"><h2 id="address">By its address</h2>
<p>Give this address to an app that supports connectors (MCP over HTTP). It opens a page here where you choose the workspace, the knowledge bases, and whether it may read, suggest or write. There is no token to copy.</p>
${copyable("mcp-address", "Address", url)}</section>
<section class="card" aria-labelledby="apps"><h2 id="apps">In common apps</h2>
${copyable("claude-code", "Claude Code, in a terminal", `claude mcp add --transport http svc ${url}`)}
${copyable("vscode", "VS Code, in .vscode/mcp.json", settings({ servers: { svc: { type: "http", url } } }))}
${copyable("cursor", "Cursor, in .cursor/mcp.json", settings({ mcpServers: { svc: { url } } }))}
${copyable("remote", "Apps that only start commands", settings({ mcpServers: { svc: { command: "npx", args: ["mcp-remote", url] } } }))}</section>
<section class="card" aria-labelledby="shell"><h2 id="shell">An agent with a shell</h2>
<p>The command <code>svc</code> is the cheapest way for an agent that runs commands. It asks for your consent in the browser once.</p>
${copyable("login", "Sign in", `svc login ${baseUrl}`)}</section>
<p class="hint"><a href="/account">Account and sessions</a> lists connected apps with their last use; you can disconnect them there. Apps that run without a person use a token from <a href="/account/tokens">API tokens</a>.</p>`,
  };
};
