import assert from "node:assert/strict";
import { CITED, FOLDERS, titleOf } from "./corpus.ts";

/** Where the pages are, as a script prepares a task and looks at what came of it: never through the way that is measured. */
export interface Store {
  text(title: string): Promise<string>;
  /** Adds a paragraph to a section, as somebody else does. */
  append(title: string, section: string, markdown: string): Promise<void>;
  /** A link to the section Rules of one page in another. */
  addLink(from: string, to: string): Promise<void>;
  /** The title of the page that this link leads to now. */
  linkTarget(from: string): Promise<string>;
  /** The folder of a page. */
  folderOf(title: string): Promise<string>;
}

const names = [
  "find a fact, fix a word",
  "add a bullet under a heading",
  "what changed (20 edits, 8 pages)",
  "move a section, keep links",
  "three cited paragraphs",
  "one section of 40,000 words",
  "new page in the right folder",
  "one cell of 200 rows",
  "overview of 60 pages",
  "two agents on one page",
] as const;
export type TaskName = (typeof names)[number];

interface Task {
  readonly name: TaskName;
  /** Calls and tokens over MCP to stay within. */
  readonly goal: readonly [calls: number, tokens: number];
  readonly prepare?: (store: Store) => Promise<void>;
  /** What the store must hold afterwards, and what the agent must have heard. */
  readonly check: (store: Store, heard: string) => Promise<void>;
}

export const NEW_PAGE = Array.from(
  { length: 24 },
  (_, i) =>
    `${i % 6 === 0 ? `## Step ${i / 6 + 1}\n\n` : ""}Check item ${i} of the list with the owner of the service, note the result in the ledger, and tell the next shift about it.`,
).join("\n\n");

const checks: Readonly<Record<TaskName, Omit<Task, "name">>> = {
  "find a fact, fix a word": {
    goal: [2, 250],
    check: async (store) => assert.match(await store.text("Engineering page 7"), /kept for 60 days\./),
  },
  "add a bullet under a heading": {
    goal: [1, 250],
    check: async (store) =>
      assert.match(await store.text("People page 5"), /\.\n- Ask before you leave\.\n\n## Details/),
  },
  "what changed (20 edits, 8 pages)": {
    goal: [1, 2500],
    prepare: async (store) => {
      for (let i = 0; i < 20; i++) {
        const section = ["Purpose", "Rules", "Details"][Math.floor(i / 8)]!;
        const text = `Edit number ${i} says the limit is ${i * 5} units.`;
        await store.append(titleOf("Product", 10 + (i % 8)), section, text);
      }
    },
    check: async (_, heard) => {
      for (let i = 0; i < 20; i++) assert.ok(heard.includes(`Edit number ${i} says`), `edit ${i}`);
    },
  },
  "move a section, keep links": {
    goal: [2, 700],
    prepare: (store) => store.addLink("People page 20", "Engineering page 20"),
    check: async (store) => {
      assert.doesNotMatch(await store.text("Engineering page 20"), /## Rules/);
      assert.equal((await store.text("Operations page 20")).match(/## Rules/g)?.length, 2);
      assert.equal(await store.linkTarget("People page 20"), "Operations page 20");
    },
  },
  "three cited paragraphs": {
    goal: [1, 570],
    check: async (_, heard) => {
      for (const text of CITED) assert.ok(heard.includes(text), text);
    },
  },
  "one section of 40,000 words": {
    goal: [1, 500],
    check: async (store, heard) => {
      const whole = await store.text("Product page 1");
      const section = whole.slice(whole.indexOf("## Chapter 120"), whole.indexOf("## Chapter 121")).trim();
      for (const paragraph of section.split("\n\n").slice(1)) assert.ok(heard.includes(paragraph), heard);
    },
  },
  "new page in the right folder": {
    goal: [1, 950],
    check: async (store) => {
      assert.equal(await store.folderOf("Hand-over"), "Operations");
      assert.equal((await store.text("Hand-over")).trim(), NEW_PAGE);
    },
  },
  "one cell of 200 rows": {
    goal: [2, 230],
    check: async (store) => assert.match(await store.text("Finance page 9"), /\| part-117 \| 399 \| piece \|/),
  },
  "overview of 60 pages": {
    goal: [1, 2500],
    check: async (_, heard) => {
      for (let n = 1; n <= 60; n++) assert.ok(heard.includes(titleOf(FOLDERS[4], n)), `page ${n}`);
    },
  },
  "two agents on one page": {
    goal: [4, 500],
    check: async (store) => assert.match(await store.text("Operations page 3"), /at noon[\s\S]*share a network/),
  },
};

export const tasks: readonly Task[] = names.map((name) => ({ name, ...checks[name] }));
