import { tasks } from "./tasks.ts";

/** Calls and tokens of one way, by task; a task that it cannot do is not there. */
export interface Figures {
  readonly name: string;
  readonly figures: Readonly<Record<string, readonly [calls: number, tokens: number]>>;
  readonly definitions: string | undefined;
}

const thousands = (value: number): string => value.toLocaleString("en-US");
const cell = (pair: readonly [number, number] | undefined): string => (pair ? pair.map(thousands).join(" / ") : "–");
const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const GOAL = [3000, 1200] as const;

/** The page that tells the figures. The first way is the one that the goals are for. */
export function agentsPage(results: readonly Figures[], definitions: readonly [number, number]): string {
  const met = (name: string, [calls, tokens]: readonly [number, number]): string => {
    const own = results[0]?.figures[name];
    return own && own[0] <= calls && own[1] <= tokens ? "met" : "missed";
  };
  const areSmall = definitions[0] <= GOAL[0] && definitions[1] <= GOAL[1];
  return `# What svc costs an agent

Ten tasks in a base of 300 pages, done as a competent agent does them, by this service over MCP, over HTTP with whole answers and by the \`svc\` command, and on the same pages as files by [server-filesystem](https://www.npmjs.com/package/@modelcontextprotocol/server-filesystem), by [mcpvault](https://www.npmjs.com/package/@bitbonsai/mcpvault) (an Obsidian server that needs no Obsidian) and by grep, sed and git. Calls and tokens (o200k) of requests and answers together; every result is checked in the store. \`npm run bench:agents\` writes this page.

${row(["Task (calls / tokens)", ...results.map(({ name }) => name), "goal for MCP", ""])}
${row(["---", ...results.map(() => "---"), "---", "---"])}
${tasks
  .map(({ name, goal }) =>
    row([name, ...results.map(({ figures }) => cell(figures[name])), cell(goal), met(name, goal)]),
  )
  .join("\n")}
${row(["tool definitions, all / reading", ...results.map((each) => each.definitions ?? "–"), GOAL.map(thousands).join(" / "), areSmall ? "met" : "missed"])}

A dash is a task that these tools cannot do: the file servers know no history. The definitions of svc are those shown without \`?tools=\`. The scripts are \`bench/agents/ways/\`, the tasks and their checks \`bench/agents/tasks.ts\`, the pages \`bench/agents/corpus.ts\`; the peers' versions stand in \`bench/peers/package.json\` and are installed by the command itself.

## The cheap way

- \`search\` answers whole blocks: no second call to read them.
- \`edit_markdown\` takes text: no id, no version. Without \`old\` it adds to the end of a section.
- \`read_document\` with \`section\` reads one section by its heading; \`browse\` with \`summaries\` gives an overview; \`get_changes\` with \`since\` tells what changed.
- A title, a path, a heading or the 8 characters in brackets stand for an id.
- With a shell, \`svc search\`, \`svc cat --section\`, \`svc replace\`, \`svc append\`, \`svc ls --summaries\` and \`svc changes\` do the same.
`;
}
