import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../../..");
const STEPS = "packages/server/src/db/schema/migrations";

const git = (...args: string[]): string =>
  execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

/** The last commit that does not know the newest step of the schema; undefined where the history is not at hand. */
function previousCommit(): string | undefined {
  try {
    const newest = git("log", "-1", "--diff-filter=A", "--format=%H", "--", STEPS);
    return git("rev-parse", "--verify", "--quiet", `${newest}^`) || undefined;
  } catch {
    return undefined;
  }
}

/** Why there can be no earlier release here, if so. */
export const noPreviousRelease = (): string | false =>
  previousCommit() === undefined ? "no right: the repository's history is not here" : false;

/** The programs as they were before the newest step of the schema, with the packages that are installed now. */
export class PreviousRelease implements Disposable {
  readonly #directory = mkdtempSync(join(tmpdir(), "svc-release-"));

  constructor() {
    const archive = execFileSync("git", ["-C", root, "archive", String(previousCommit()), "packages"], {
      maxBuffer: 1e9,
    });
    execFileSync("tar", ["-x", "-C", this.#directory], { input: archive });
    const modules = join(this.#directory, "node_modules");
    mkdirSync(join(modules, "@svc"), { recursive: true });
    for (const name of readdirSync(join(root, "node_modules")))
      if (name !== "@svc" && name !== ".cache") symlinkSync(join(root, "node_modules", name), join(modules, name));
    for (const name of readdirSync(join(this.#directory, "packages"))) this.#link(name, modules);
  }

  #link(name: string, modules: string): void {
    const own = join(root, "packages", name, "node_modules");
    symlinkSync(this.file(`packages/${name}`), join(modules, "@svc", name));
    if (existsSync(own)) symlinkSync(own, this.file(`packages/${name}/node_modules`));
  }

  /** A file of it by its path in the repository. */
  file(path: string): string {
    return join(this.#directory, path);
  }

  [Symbol.dispose](): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
