/**
 * Builds the browser's scripts after `npm ci --omit=dev`. The bundler, the editor's library and Mermaid are installed in
 * a temporary folder, so that the server's own folder has only what it runs with.
 */
import { type ExecFileSyncOptions, execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const ISLANDS = "packages/web/static/islands";
/** The packages whose code runs in the browser. */
const WORKSPACES = ["web", "tiptap-kit", "document", "live", "sdk"];

/** npm's own settings of this run (`--omit=dev`) do not count for the other one. */
const environment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_config_(omit|include|production)$/i.test(name)),
  );

export function buildIslandsElsewhere(): void {
  const folder = mkdtempSync(join(tmpdir(), "svc-build-"));
  try {
    const files = globSync(["package.json", "package-lock.json", ".npmrc", "packages/*/package.json"], { cwd: root });
    for (const file of files) cpSync(join(root, file), join(folder, file));
    for (const name of WORKSPACES) {
      const path = join("packages", name, "src");
      cpSync(join(root, path), join(folder, path), { recursive: true });
    }
    const workspaces = WORKSPACES.flatMap((name) => ["--workspace", `packages/${name}`]);
    const options: ExecFileSyncOptions = { cwd: folder, env: environment(), stdio: ["ignore", "ignore", "inherit"] };
    execFileSync("npm", ["ci", "--ignore-scripts", "--include=dev", ...workspaces], options);
    execFileSync(process.execPath, ["packages/web/src/build.ts"], options);
    cpSync(join(folder, ISLANDS), join(root, ISLANDS), { recursive: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
