/**
 * Looks at every package that we depend on: what can be said without a network, and, without `--offline`, what the
 * registry knows of weaknesses. Fails on anything wrong offline and on a weakness of high severity.
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type Advisory,
  deprecationProblems,
  duplicateProblems,
  type Installed,
  installedProblems,
  integrityProblems,
  judge,
  type Lock,
  licenceProblems,
  type Manifest,
  pinProblems,
  scriptProblems,
  versionsOf,
} from "./audit-rules.ts";

const root = resolve(import.meta.dirname, "..");
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));

function installedAt(path: string): Installed | undefined {
  const file = join(path, "package.json");
  if (!existsSync(join(root, file))) return undefined;
  const { version, license, licenses } = readJson(file);
  return { version, license: typeof license === "string" ? license : (license?.type ?? licenses?.[0]?.type) };
}

/** Everything that is wrong, without asking anybody. */
export function offlineProblems(): string[] {
  const lock: Lock = readJson("package-lock.json").packages;
  const manifests: Manifest[] = ["package.json", ...globSync("packages/*/package.json", { cwd: root })].map(readJson);
  return [
    ...integrityProblems(lock),
    ...pinProblems(manifests),
    ...licenceProblems(lock, installedAt),
    ...scriptProblems(lock, manifests[0]?.allowScripts ?? {}),
    ...deprecationProblems(lock),
    ...duplicateProblems(lock, manifests),
    ...installedProblems(lock, installedAt),
  ];
}

const registry = (): string =>
  process.env.npm_config_registry ?? execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();

/** The registry's advisories, or a text when it does not answer. */
async function advisories(): Promise<Record<string, Advisory[]> | string> {
  try {
    const reply = await fetch(new URL("-/npm/v1/security/advisories/bulk", registry().replace(/\/*$/, "/")), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(versionsOf(readJson("package-lock.json").packages)),
      signal: AbortSignal.timeout(30_000),
    });
    return reply.ok ? ((await reply.json()) as Record<string, Advisory[]>) : `it answers ${reply.status}`;
  } catch (error) {
    return String((error instanceof Error && error.cause) || error).replace(/https?:\S+/g, "…");
  }
}

async function main(): Promise<void> {
  const problems = offlineProblems();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  if (process.argv.includes("--offline")) return;
  const known = await advisories();
  if (typeof known === "string")
    return console.error(
      `\n!!! AUDIT: the registry tells no advisories (${known}): known weaknesses were NOT checked.\n`,
    );
  const { lines, isBad } = judge(known);
  for (const line of lines) console.error(line);
  if (isBad) process.exitCode = 1;
  if (lines.length === 0) console.log("No known weaknesses.");
}

if (process.argv[1] === import.meta.filename) await main();
