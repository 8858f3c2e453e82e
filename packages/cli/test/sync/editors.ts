import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { defined } from "@svc/document/defined";
import { type Client, type FolderNode, listAll, type Tree, updateMarkdown } from "@svc/sdk";
import { unitsOf } from "../../src/sync/anchored-text.ts";
import type { Random } from "./random.ts";

/**
 * Words that must be found somewhere in the end. Every edit adds a word of its own; it may go only when the side that
 * removes it has seen it.
 */
export class Words {
  readonly expected = new Set<string>();
  #count = 0;

  add(): string {
    const word = `word${++this.#count}x`;
    this.expected.add(word);
    return word;
  }

  remove(text: string): void {
    for (const word of wordsIn(text)) this.expected.delete(word);
  }
}

export const wordsIn = (text: string): string[] => text.match(/word\d+x/g) ?? [];

const NAMES = ["Same", "a/b: c?", ".hidden", "naïve Ü", "Same", "CON", "x.conflict-1"];

/** One random change of a text: a paragraph more, one less, or one with another word. */
function edited(text: string, random: Random, words: Words): string {
  const units = unitsOf(text).units.map((unit) => unit.text);
  const at = random.below(units.length + 1);
  const kind = random.below(4);
  if (kind === 0 && units[at] !== undefined) words.remove(defined(units.splice(at, 1)[0]));
  else if (kind === 1 && units[at] !== undefined) units[at] += ` ${words.add()}`;
  else units.splice(at, 0, `Paragraph ${words.add()}.`);
  return units.length === 0 ? "" : `${units.join("\n\n")}\n`;
}

/** Somebody who works with the files. */
export class FileEditor {
  readonly root: string;
  readonly #random: Random;
  readonly #words: Words;

  constructor(root: string, random: Random, words: Words) {
    this.root = root;
    this.#random = random;
    this.#words = words;
  }

  get files(): string[] {
    return globSync("**/*.md", { cwd: this.root }).sort();
  }

  get documents(): string[] {
    return this.files.filter((path) => !path.includes(".conflict-"));
  }

  get directories(): string[] {
    return globSync("**", { cwd: this.root })
      .filter((path) => statSync(join(this.root, path)).isDirectory() && path !== "." && path !== "")
      .sort();
  }

  read = (path: string): string => readFileSync(join(this.root, path), "utf8");

  act(): void {
    const kind = this.#random.below(10);
    const { documents, directories } = this;
    const path = documents.length === 0 || kind <= 1 ? undefined : this.#random.pick(documents);
    if (path === undefined) this.#create();
    else if (kind <= 5) writeFileSync(join(this.root, path), edited(this.read(path), this.#random, this.#words));
    else if (kind === 6) this.#remove(path);
    else if (kind === 7) this.#move(path, join(this.#anyDirectory(), `Renamed ${this.#random.below(99)}.md`));
    else if (kind === 8 && directories.length > 0)
      this.#move(this.#random.pick(directories), `Directory ${this.#random.below(99)}`);
    else if (directories.length > 0 && this.#random.below(3) === 0) this.#remove(this.#random.pick(directories));
    else this.#move(path, join(this.#anyDirectory(), basename(path)));
  }

  #anyDirectory = (): string => this.#random.pick(["", ...this.directories]);

  #create(): void {
    const directory = this.#random.below(3) === 0 ? `New ${this.#random.below(99)}` : this.#anyDirectory();
    mkdirSync(join(this.root, directory), { recursive: true });
    const path = join(this.root, directory, `File ${this.#random.below(999)}.md`);
    if (!existsSync(path)) writeFileSync(path, edited("", this.#random, this.#words));
  }

  #move(from: string, to: string): void {
    if (existsSync(join(this.root, to)) || `${to}/`.startsWith(`${from}/`)) return;
    mkdirSync(dirname(join(this.root, to)), { recursive: true });
    renameSync(join(this.root, from), join(this.root, to));
  }

  #remove(path: string): void {
    for (const file of this.files)
      if (file === path || file.startsWith(`${path}/`)) this.#words.remove(this.read(file));
    rmSync(join(this.root, path), { recursive: true });
  }
}

interface Shelf {
  readonly id: number;
  readonly path: string;
  readonly documents: readonly string[];
}

/** Somebody who works with the service. */
export class RemoteEditor {
  readonly client: Client;
  readonly knowledgeBase: number;
  readonly #random: Random;
  readonly #words: Words;

  constructor(client: Client, knowledgeBase: number, random: Random, words: Words) {
    this.client = client;
    this.knowledgeBase = knowledgeBase;
    this.#random = random;
    this.#words = words;
  }

  async documents() {
    const query = { knowledge_base_id: this.knowledgeBase, limit: 100 };
    return Array.fromAsync(listAll(this.client, "/documents", { query }));
  }

  /** Every folder with its path and all documents in and below it. */
  async folders(): Promise<Shelf[]> {
    const { data } = await this.client.get("/knowledge-bases/{id}/tree", { path: { id: this.knowledgeBase } });
    const shelves: Shelf[] = [];
    const walk = (items: Tree["children"] | FolderNode["children"], path: string): string[] =>
      items.flatMap((item) => {
        if (item.type === "document") return [item.id];
        const documents = walk(item.children, `${path}${item.name}/`);
        shelves.push({ id: item.id, path: `${path}${item.name}`, documents });
        return documents;
      });
    walk(data.children, "");
    return shelves;
  }

  async markdown(id: string): Promise<string> {
    const query = { format: "markdown" } as const;
    return (await this.client.get("/documents/{id}/content", { path: { id }, query })).data.content ?? "";
  }

  async act(): Promise<void> {
    const [documents, folders] = [await this.documents(), await this.folders()];
    const kind = this.#random.below(10);
    const folder_id = this.#random.pick([null, ...folders.map(({ id }) => id)]);
    const title = `${this.#random.pick(NAMES)}${this.#random.below(2) === 0 ? "" : ` ${this.#random.below(99)}`}`;
    if (documents.length === 0 || kind <= 1) return this.#create(title, folder_id);
    const { id } = this.#random.pick(documents);
    if (kind <= 5) await updateMarkdown(this.client, id, (text) => edited(text, this.#random, this.#words));
    else if (kind === 6) await this.#remove(id);
    else if (kind === 7) await this.client.patch("/documents/{id}", { path: { id }, body: { title, folder_id } });
    else await this.#changeFolders(folders, title);
  }

  async #create(title: string, folder_id: number | null): Promise<void> {
    const content = { format: "markdown", content: edited("", this.#random, this.#words) } as const;
    await this.client.post("/documents", {
      body: { title, knowledge_base_id: this.knowledgeBase, folder_id, content },
    });
  }

  async #remove(id: string): Promise<void> {
    this.#words.remove(await this.markdown(id));
    await this.client.delete("/documents/{id}", { path: { id } });
  }

  async #changeFolders(folders: readonly Shelf[], name: string): Promise<void> {
    const kind = this.#random.below(4);
    if (folders.length === 0 || kind === 0) {
      const parent_id = this.#random.pick([null, ...folders.map(({ id }) => id)]);
      await this.client.post("/folders", { body: { name, knowledge_base_id: this.knowledgeBase, parent_id } });
      return;
    }
    const { id, documents } = this.#random.pick(folders);
    if (kind === 1) {
      for (const document of documents) this.#words.remove(await this.markdown(document));
      await this.client.delete("/folders/{id}", { path: { id } });
    } else
      await this.client.patch("/folders/{id}", {
        path: { id },
        body: { name, ...(kind === 3 && { parent_id: null }) },
      });
  }
}
