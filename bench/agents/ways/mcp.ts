import { describeTool } from "../../../packages/mcp/src/tool.ts";
import { DEFAULT_SETS } from "../../../packages/mcp/src/tool-sets.ts";
import { tools } from "../../../packages/mcp/src/tools/index.ts";
import { Agent } from "../../../packages/mcp/test/support/agent.ts";
import { NEW_PAGE, type Store } from "../tasks.ts";
import { Count, cost, type Way } from "../way.ts";
import { callOf } from "./call-tool.ts";

const shown = tools.filter(({ set }) => DEFAULT_SETS.includes(set));
const tokensOf = (list: typeof tools): number => cost(JSON.stringify(list.map(describeTool)));
/** Of the sets that are shown without being asked for: for all, and for those that only read. */
export const definitions = [tokensOf(shown), tokensOf(shown.filter(({ readOnly }) => readOnly))] as const;

/** This service over MCP. `since` is a moment before the edits that a task asks about. */
export async function mcpWay(url: string, token: string, store: Store, since: string): Promise<Way> {
  const agent = await Agent.connect(url, token, {}, "");
  const count = new Count();
  const call = callOf(agent.client, count);
  const page = { document_id: "Operations page 3" };
  return {
    name: "svc MCP",
    store,
    count,
    definitions: definitions.join(" / "),
    close: agent.close,
    scripts: {
      "find a fact, fix a word": async () => {
        await call("search", { query: "zebrafish audit rows kept", limit: 1 });
        return call("edit_markdown", { document_id: "Engineering page 7", old: "90 days", new: "60 days" });
      },
      "add a bullet under a heading": () =>
        call("edit_markdown", { document_id: "People page 5", section: "Rules", new: "- Ask before you leave." }),
      "what changed (20 edits, 8 pages)": () => call("get_changes", { since }),
      "move a section, keep links": () =>
        call("move_section", {
          document_id: "Engineering page 20",
          section: "Rules",
          target_document_id: "Operations page 20",
        }),
      "three cited paragraphs": () => call("search", { query: "quokka nodes", limit: 3 }),
      "one section of 40,000 words": () =>
        call("read_document", { document_id: "Product page 1", section: "Chapter 120" }),
      "new page in the right folder": () =>
        call("create_document", { title: "Hand-over", in: "Company/Operations", markdown: NEW_PAGE }),
      "one cell of 200 rows": async () => {
        await call("search", { query: "part-117", limit: 1 });
        return call("edit_markdown", {
          document_id: "Finance page 9",
          old: "| part-117 | 362 |",
          new: "| part-117 | 399 |",
        });
      },
      "overview of 60 pages": () => call("browse", { in: "Company/Finance", summaries: true }),
      "two agents on one page": async () => {
        for (let i = 0; i < 2; i++) await call("read_document", { ...page, section: "Nodes" });
        await call("edit_markdown", { ...page, old: "at dawn", new: "at noon" });
        return call("edit_markdown", { ...page, old: "share a disk", new: "share a network" });
      },
    },
  };
}
