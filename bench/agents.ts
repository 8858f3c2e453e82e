// What the service costs an agent, in calls and tokens (o200k): node bench/agents.ts writes docs/agents.md.

import { writeFileSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describeTool } from "../packages/mcp/src/tool.ts";
import { DEFAULT_SETS } from "../packages/mcp/src/tool-sets.ts";
import { tools } from "../packages/mcp/src/tools/index.ts";
import { Agent as McpAgent } from "../packages/mcp/test/support/agent.ts";
import { World } from "../packages/server/test/support/world.ts";
import { makeCorpus } from "./agents/corpus.ts";
import { type Agent, tasks } from "./agents/tasks.ts";

const cost = (text: string): number => encode(text).length;

/** Counts what goes to and fro over MCP: name and arguments, and the whole result. */
class CountedAgent implements Agent {
  calls = 0;
  tokens = 0;
  readonly #agent: McpAgent;

  constructor(agent: McpAgent) {
    this.#agent = agent;
  }

  async call(name: string, args: Record<string, unknown>): Promise<string> {
    const result = await this.#agent.client.callTool({ name, arguments: args });
    const [content] = result.content as { text: string }[];
    const structure = result.structuredContent ? JSON.stringify(result.structuredContent) : "";
    this.calls++;
    this.tokens += cost(JSON.stringify({ name, arguments: args })) + cost(content?.text ?? "") + cost(structure);
    if (result.isError) throw new Error(`${name}: ${content?.text}`);
    return content?.text ?? "";
  }
}

async function measure(): Promise<string[]> {
  const world = new World("sqlite", {});
  await world.start();
  try {
    const person = await world.person();
    const stage = { client: person.client, corpus: await makeCorpus(person.client) };
    const rows: string[] = [];
    for (const task of tasks) {
      await task.prepare?.(stage);
      const agent = new CountedAgent(await McpAgent.connect(world.url, person.token, {}, ""));
      await task.run(agent);
      await task.check(stage);
      const [calls, tokens] = task.goal;
      const verdict = agent.calls <= calls && agent.tokens <= tokens ? "met" : "missed";
      rows.push(`| ${task.name} | ${agent.calls} / ${agent.tokens} | ${calls} / ${tokens} | ${verdict} |`);
      console.log(rows.at(-1));
    }
    return rows;
  } finally {
    await world.stop();
  }
}

const shown = tools.filter(({ set }) => DEFAULT_SETS.includes(set));
const definitions = (list: typeof tools): number => cost(JSON.stringify(list.map(describeTool)));
const figures = [definitions(shown), definitions(shown.filter(({ readOnly }) => readOnly))];

const page = (rows: readonly string[]): string => `# What svc costs an agent

Ten tasks in a base of 300 pages, done over MCP as a competent agent does them. Calls and tokens (o200k) of requests and answers together; every result is checked in the store. \`npm run bench:agents\` writes this page.

| Task | svc MCP (calls / tokens) | goal | |
| --- | --- | --- | --- |
${rows.join("\n")}
| tool definitions, read-write / read-only | ${figures.join(" / ")} | 3000 / 1200 | ${figures[0]! <= 3000 && figures[1]! <= 1200 ? "met" : "missed"} |

The scripts are \`bench/agents/tasks.ts\`; the corpus is \`bench/agents/corpus.ts\`. Other servers and the command are not measured here yet.

## The cheap way

- \`search\` answers whole blocks: no second call to read them.
- \`edit_markdown\` takes text: no id, no version. Without \`old\` it adds to the end of a section.
- \`read_document\` with \`section\` reads one section by its heading; \`browse\` with \`summaries\` gives an overview; \`get_changes\` with \`since\` tells what changed.
- A title, a path, a heading or the 8 characters in brackets stand for an id.
- With a shell, \`svc search\`, \`svc cat --section\`, \`svc replace\`, \`svc append\` and \`svc changes\` do the same.
`;

writeFileSync(new URL("../docs/agents.md", import.meta.url), page(await measure()));
