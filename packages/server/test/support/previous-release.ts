import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { defined } from "@svc/document/defined";

const root = resolve(import.meta.dirname, "../../../..");

/** The last commit before 1.0.0. Stores that it wrote can be updated. */
export const LAST_DEVELOPMENT_COMMIT = "200c0dab45a3f791c4c2ae8526bd787ea51bef9a";

/** The commit of the newest release, as `docs/releases.md` lists them, newest first. */
export function newestRelease(): string {
  const page = readFileSync(join(root, "docs/releases.md"), "utf8");
  return defined(/^- \*\*\d+\.\d+\.\d+\*\*.*`([0-9a-f]{40})`/m.exec(page)?.[1]);
}

const git = (...args: string[]): string =>
  execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

/** Why the files of an earlier commit cannot be had, if so. */
export function noCommit(commit: string): string | false {
  try {
    git("cat-file", "-e", `${commit}^{commit}`);
    return false;
  } catch {
    return "no right: the repository's history is not here";
  }
}

/** The packages of an earlier commit, with the libraries that are installed now. */
export class EarlierPackages implements Disposable {
  readonly #directory = mkdtempSync(join(tmpdir(), "svc-release-"));

  constructor(commit: string) {
    const archive = execFileSync("git", ["-C", root, "archive", commit, "packages"], { maxBuffer: 1e9 });
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

  /** Returns the location of a file by its path in the repository. */
  file(path: string): string {
    return join(this.#directory, path);
  }

  [Symbol.dispose](): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
