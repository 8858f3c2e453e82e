import assert from "node:assert/strict";
import type { Client } from "../../packages/server/test/support/client.ts";
import { CITED, type Corpus, titleOf } from "./corpus.ts";

/** How an agent reaches the service: each call is counted by who makes it. */
export interface Agent {
  /** What it says and what it hears, as a model would. */
  call(name: string, args: Record<string, unknown>): Promise<string>;
}

export interface Stage {
  readonly client: Client;
  readonly corpus: Corpus;
}

export interface Task {
  readonly name: string;
  /** Calls and tokens to stay within. */
  readonly goal: readonly [calls: number, tokens: number];
  readonly prepare?: (stage: Stage) => Promise<void>;
  /** As a competent agent does it with the tools. */
  readonly run: (agent: Agent) => Promise<void>;
  /** What the store must hold afterwards. */
  readonly check: (stage: Stage) => Promise<void>;
}

const textOf = async ({ client, corpus }: Stage, title: string): Promise<string> =>
  (await client.get(`/documents/${corpus.ids.get(title)}/content?format=markdown`)).text;

const NEW_PAGE = Array.from(
  { length: 24 },
  (_, i) =>
    `${i % 6 === 0 ? `## Step ${i / 6 + 1}\n\n` : ""}Check item ${i} of the list with the owner of the service, note the result in the ledger, and tell the next shift about it.`,
).join("\n\n");

let since = "";
let heard = "";

export const tasks: readonly Task[] = [
  {
    name: "find a fact, fix a word",
    goal: [2, 250],
    run: async (agent) => {
      await agent.call("search", { query: "zebrafish audit rows kept", limit: 1 });
      await agent.call("edit_markdown", { document_id: "Engineering page 7", old: "90 days", new: "60 days" });
    },
    check: async (stage) => assert.match(await textOf(stage, "Engineering page 7"), /kept for 60 days\./),
  },
  {
    name: "add a bullet under a heading",
    goal: [1, 250],
    run: async (agent) => {
      await agent.call("edit_markdown", {
        document_id: "People page 5",
        section: "Rules",
        new: "- Ask before you leave.",
      });
    },
    check: async (stage) =>
      assert.match(await textOf(stage, "People page 5"), /\.\n- Ask before you leave\.\n\n## Details/),
  },
  {
    name: "what changed (20 edits, 8 pages)",
    goal: [1, 2500],
    prepare: async ({ client, corpus }) => {
      const start = Date.now();
      while (Date.now() <= start) await new Promise((resolve) => setImmediate(resolve));
      since = new Date().toISOString();
      for (let i = 0; i < 20; i++) {
        const id = corpus.ids.get(titleOf("Product", 10 + (i % 8)));
        const section = ["Purpose", "Rules", "Details"][Math.floor(i / 8)]!;
        const markdown = `Edit number ${i} says the limit is ${i * 5} units.`;
        const { status } = await client.post(`/documents/${id}/batch`, {
          base_version: "*",
          operations: [{ op: "append_markdown", section, markdown }],
        });
        assert.equal(status, 200);
      }
    },
    run: async (agent) => {
      heard = await agent.call("get_changes", { since });
    },
    check: async () => {
      for (let i = 0; i < 20; i++) assert.ok(heard.includes(`Edit number ${i} says`), `edit ${i}`);
    },
  },
  {
    name: "move a section, keep links",
    goal: [2, 700],
    prepare: async ({ client, corpus }) => {
      const { data } = await client.get(`/documents/${corpus.ids.get("Engineering page 20")}/outline`);
      const rules = data.items.find((item: { text: string }) => item.text === "Rules");
      const link = `svc://doc/${corpus.ids.get("Engineering page 20")}#block=${rules.block_id}`;
      await client.post(`/documents/${corpus.ids.get("People page 20")}/batch`, {
        base_version: "*",
        operations: [{ op: "append_markdown", markdown: `See [the rules](${link}).` }],
      });
    },
    run: async (agent) => {
      await agent.call("move_section", {
        document_id: "Engineering page 20",
        section: "Rules",
        target_document_id: "Operations page 20",
      });
    },
    check: async (stage) => {
      assert.doesNotMatch(await textOf(stage, "Engineering page 20"), /## Rules/);
      assert.ok(
        (await textOf(stage, "People page 20")).includes(`svc://doc/${stage.corpus.ids.get("Operations page 20")}#`),
      );
    },
  },
  {
    name: "three cited paragraphs",
    goal: [1, 570],
    run: async (agent) => {
      heard = await agent.call("search", { query: "quokka nodes", limit: 3 });
    },
    check: async () => {
      for (const text of CITED) assert.ok(heard.includes(text), text);
    },
  },
  {
    name: "one section of 40,000 words",
    goal: [1, 500],
    run: async (agent) => {
      heard = await agent.call("read_document", { document_id: "Product page 1", section: "Chapter 120" });
    },
    check: async (stage) => {
      const whole = await textOf(stage, "Product page 1");
      const section = whole.slice(whole.indexOf("## Chapter 120"), whole.indexOf("## Chapter 121")).trim();
      assert.ok(heard.includes(section));
    },
  },
  {
    name: "new page in the right folder",
    goal: [1, 950],
    run: async (agent) => {
      await agent.call("create_document", { title: "Hand-over", in: "Company/Operations", markdown: NEW_PAGE });
    },
    check: async ({ client, corpus }) => {
      const { data } = await client.get("/documents?q=Hand-over");
      assert.deepEqual([data.length, data[0].folder_id], [1, corpus.folderIds.get("Operations")]);
    },
  },
  {
    name: "one cell of 200 rows",
    goal: [2, 230],
    run: async (agent) => {
      await agent.call("search", { query: "part-117", limit: 1 });
      await agent.call("edit_markdown", {
        document_id: "Finance page 9",
        old: "| part-117 | 362 |",
        new: "| part-117 | 399 |",
      });
    },
    check: async (stage) => assert.match(await textOf(stage, "Finance page 9"), /\| part-117 \| 399 \| piece \|/),
  },
  {
    name: "overview of 60 pages",
    goal: [1, 2500],
    run: async (agent) => {
      heard = await agent.call("browse", { in: "Company/Finance", summaries: true });
    },
    check: async () => {
      for (let n = 1; n <= 60; n++) assert.ok(heard.includes(`${titleOf("Finance", n)} (`), `page ${n}`);
    },
  },
  {
    name: "two agents on one page",
    goal: [4, 500],
    run: async (agent) => {
      const page = { document_id: "Operations page 3" };
      for (let i = 0; i < 2; i++) await agent.call("read_document", { ...page, section: "Nodes" });
      await agent.call("edit_markdown", { ...page, old: "at dawn", new: "at noon" });
      await agent.call("edit_markdown", { ...page, old: "share a disk", new: "share a network" });
    },
    check: async (stage) => assert.match(await textOf(stage, "Operations page 3"), /at noon[\s\S]*share a network/),
  },
];
