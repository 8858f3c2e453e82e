import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { portOf } from "@svc/server/http/port-of";
import { probeFiles, requirePeer } from "../../server/test/support/peers/peer.ts";

const root = resolve(import.meta.dirname, "../../..");

/** The shell blocks of a page's tour, as they stand. */
function tourBlocks(page: string): string[] {
  const blocks: string[] = [];
  let [inTour, inBlock] = [false, false];
  for (const line of readFileSync(join(root, page), "utf8").split("\n")) {
    if (!inBlock && line.startsWith("## ")) inTour = line === "## A tour";
    else if (line.startsWith("```")) {
      inBlock = !inBlock;
      if (inTour && line === "```sh") blocks.push("");
    } else if (inTour && inBlock) blocks.push(`${blocks.pop()}${line}\n`);
  }
  return blocks;
}

/** Links everything of a fresh clone into a new folder, so that the tour writes there. */
function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-tour-"));
  for (const name of ["package.json", "node_modules", "packages"]) symlinkSync(join(root, name), join(folder, name));
  return folder;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  await new Promise((closed) => server.close(closed));
  return port;
}

async function serves(port: number, server: ChildProcess): Promise<void> {
  for (let left = 2400; left > 0 && server.exitCode === null; left--) {
    const up = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) return;
    await sleep(100);
  }
  throw new Error("The server of the tour did not start.");
}

/** A terminal: bash that stops at the first line that fails. Its whole group ends with `end`. */
function terminal(script: string, folder: string, port: number) {
  const child = spawn("bash", ["-e", "-o", "pipefail", "-c", script], {
    cwd: folder,
    env: { PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}`, HOME: folder, SVC_PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => output.push(chunk));
  const closed = once(child, "close");
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-defined(child.pid), "SIGTERM");
    await closed;
  };
  return { child, closed, end, output: () => output.join("") };
}

const tools = requirePeer("tools of the tour", probeFiles(["bash", "curl", "perl"]));

/** Each page with a tour, its fewest shell blocks after the one that starts the server, and a line that it must print. */
const tours = [
  { page: "README.md", blocks: 1, prints: /Better words/ },
  { page: "docs/cli.md", blocks: 5, prints: /^\+Better words\.$/m },
];

for (const { page, blocks: expected, prints } of tours)
  test(`the tour of ${page} works, line by line, on a fresh store`, tools, async () => {
    const [start = "", ...blocks] = tourBlocks(page);
    assert.equal(start, "npm start\n");
    assert.ok(blocks.length >= expected);
    const [folder, port] = [freshFolder(), await freePort()];
    const server = terminal(start, folder, port);
    try {
      await serves(port, server.child);
      const tour = terminal(`set -v\n${blocks.join("\n")}`, folder, port);
      const [code] = await tour.closed;
      assert.equal(code, 0, tour.output().slice(-4000));
      assert.match(tour.output(), prints);
    } finally {
      await server.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });
