#!/usr/bin/env node
// Starts svc on a Node that runs TypeScript: this one, or the one that came with `npm ci`. Has to run on any Node.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MIN_MAJOR = 24;

function startWithPinnedNode() {
  const folder = dirname(createRequire(import.meta.url).resolve("node/package.json"));
  const node = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
  const svc = fileURLToPath(new URL("../src/svc.ts", import.meta.url));
  const child = spawn(node, [svc, ...process.argv.slice(2)], { stdio: "inherit" });
  // The terminal sends Ctrl-C to both: svc decides what it means, and this process ends with it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => signal !== "SIGINT" && child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`svc: Node ${MIN_MAJOR} cannot be started (${error.message}). Run npm ci first.\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : 143);
  });
}

if (Number.parseInt(process.versions.node, 10) >= MIN_MAJOR) await import("../src/svc.ts");
else startWithPinnedNode();
