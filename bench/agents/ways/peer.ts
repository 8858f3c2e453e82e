import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Count, cost } from "../way.ts";
import { callOf } from "./call-tool.ts";

const PEERS = join(import.meta.dirname, "../../peers");

/** Other servers are no part of the service's install: they come when they are measured. */
export function installPeers(): void {
  if (existsSync(join(PEERS, "node_modules"))) return;
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: PEERS,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("The peers in bench/peers could not be installed.");
}

/** A server from npm over standard input and output. */
export async function startPeer(program: string, ...args: string[]) {
  const client = new Client({ name: "bench-agent", version: "1.0.0" });
  const file = join(PEERS, "node_modules", program);
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [file, ...args], stderr: "ignore" }),
  );
  const { tools } = await client.listTools();
  const tokensOf = (list: typeof tools): number =>
    cost(
      JSON.stringify(
        list.map(({ name, description, inputSchema, outputSchema, annotations }) => ({
          name,
          description,
          inputSchema,
          outputSchema,
          annotations,
        })),
      ),
    );
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint);
  const count = new Count();
  return {
    count,
    call: callOf(client, count),
    definitions: `${tokensOf(tools)} / ${reading.length === 0 ? "–" : tokensOf(reading)}`,
    close: () => client.close(),
  };
}

/** The last item of the list below a heading. */
export function lastBullet(text: string, heading: string): string {
  const section = text.slice(text.indexOf(`## ${heading}`)).split("\n## ")[0] ?? "";
  return section.match(/^- .*$/gm)?.at(-1) ?? "";
}

/** The Markdown of a section, its heading included. */
export function sectionIn(text: string, heading: string): string {
  const start = text.indexOf(`## ${heading}\n`);
  const end = text.indexOf("\n## ", start + 1);
  return text.slice(start, end < 0 ? text.length : end + 1);
}
