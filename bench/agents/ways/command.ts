import assert from "node:assert/strict";
import { Terminal } from "../../../packages/cli/test/support.ts";
import { NEW_PAGE, type Store } from "../tasks.ts";
import { Count, type Way } from "../way.ts";

const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text}'`);

/** This service by the `svc` command in a shell. */
export function commandWay(url: string, token: string, store: Store, since: string): Way {
  const count = new Count();
  const terminal = new Terminal({ SVC_URL: url, SVC_TOKEN: token });
  const svc = async (...args: string[]): Promise<string> => {
    const done = await terminal.run(args);
    const heard = count.add(["svc", ...args.map(quoted)].join(" "), done.stdout + done.stderr);
    assert.equal(done.code, 0, heard);
    return heard;
  };
  const page = "Company/Operations/Operations page 3";
  return {
    name: "svc command",
    store,
    count,
    close: async () => terminal.close(),
    scripts: {
      "find a fact, fix a word": async () => {
        await svc("search", "zebrafish audit rows kept", "--limit", "1");
        return svc("replace", "Company/Engineering/Engineering page 7", "90 days", "60 days");
      },
      "add a bullet under a heading": () =>
        svc("append", "Company/People/People page 5", "--section", "Rules", "--text", "- Ask before you leave."),
      "what changed (20 edits, 8 pages)": () => svc("changes", "--since", since),
      "move a section, keep links": () =>
        svc(
          "move-section",
          "Company/Engineering/Engineering page 20",
          "Rules",
          "Company/Operations/Operations page 20",
        ),
      "three cited paragraphs": () => svc("search", "quokka nodes", "--limit", "3"),
      "one section of 40,000 words": () => svc("cat", "Company/Product/Product page 1", "--section", "Chapter 120"),
      "new page in the right folder": () => svc("new", "Company/Operations/Hand-over", "--text", NEW_PAGE),
      "one cell of 200 rows": async () => {
        await svc("search", "part-117", "--limit", "1");
        return svc("replace", "Company/Finance/Finance page 9", "| part-117 | 362 |", "| part-117 | 399 |");
      },
      "overview of 60 pages": () => svc("ls", "Company/Finance", "--summaries"),
      "two agents on one page": async () => {
        for (let i = 0; i < 2; i++) await svc("cat", page, "--section", "Nodes");
        await svc("replace", page, "at dawn", "at noon");
        return svc("replace", page, "share a disk", "share a network");
      },
    },
  };
}
