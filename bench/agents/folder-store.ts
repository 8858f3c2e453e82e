import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FOLDERS, pages } from "./corpus.ts";
import type { Store } from "./tasks.ts";

/** The same pages as Markdown files in a repository of git. */
export class FolderStore implements Store {
  readonly directory = mkdtempSync(join(tmpdir(), "svc-agents-"));

  constructor() {
    for (const { folder, title, text } of pages()) {
      mkdirSync(join(this.directory, folder), { recursive: true });
      writeFileSync(join(this.directory, folder, `${title}.md`), `${text}\n`);
    }
    this.#git("init", "-q");
    this.#commit("begin");
    this.#git("tag", "yesterday");
  }

  async text(title: string): Promise<string> {
    return readFileSync(this.#path(title), "utf8");
  }

  async append(title: string, section: string, markdown: string): Promise<void> {
    const text = await this.text(title);
    const start = text.indexOf(`## ${section}\n`);
    const next = text.indexOf("\n## ", start + 1);
    const end = next < 0 ? text.length : next;
    this.#write(title, `${text.slice(0, end).trimEnd()}\n\n${markdown}\n${text.slice(end)}`);
    this.#commit(`append to ${title}`);
  }

  async addLink(from: string, to: string): Promise<void> {
    const target = `../${FOLDERS.find((name) => to.startsWith(name))}/${to}.md#rules`;
    this.#write(from, `${await this.text(from)}\nSee [the rules](<${target}>).\n`);
    this.#commit("link");
  }

  async linkTarget(from: string): Promise<string> {
    return /\/([^/]+)\.md#rules>/.exec(await this.text(from))?.[1] ?? "";
  }

  async folderOf(title: string): Promise<string> {
    const found = FOLDERS.find((name) => existsSync(join(this.directory, name, `${title}.md`)));
    assert.ok(found);
    return found;
  }

  close = async (): Promise<void> => rmSync(this.directory, { recursive: true, force: true });

  #path = (title: string): string => {
    const folder = FOLDERS.find((name) => existsSync(join(this.directory, name, `${title}.md`)));
    assert.ok(folder, title);
    return join(this.directory, folder, `${title}.md`);
  };

  #write = (title: string, text: string): void => writeFileSync(this.#path(title), text);

  #commit = (message: string): void => {
    this.#git("add", "-A");
    this.#git("-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "-qm", message);
  };

  #git = (...args: string[]): string => execFileSync("git", args, { cwd: this.directory, encoding: "utf8" });
}
