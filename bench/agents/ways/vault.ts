import assert from "node:assert/strict";
import { titleOf } from "../corpus.ts";
import { FolderStore } from "../folder-store.ts";
import { NEW_PAGE } from "../tasks.ts";
import type { Way } from "../way.ts";
import { lastBullet, sectionIn, startPeer } from "./peer.ts";

/** An Obsidian vault by @bitbonsai/mcpvault, which works on its folder without the Obsidian program. */
export async function vaultWay(): Promise<Way> {
  const store = new FolderStore();
  const peer = await startPeer("@bitbonsai/mcpvault/dist/server.js", store.directory);
  const { call } = peer;
  const read = async (path: string): Promise<string> => {
    const { content } = JSON.parse(await call("read_note", { path }));
    assert.equal(typeof content, "string");
    return content;
  };
  const patch = (path: string, oldString: string, newString: string) =>
    call("patch_note", { path, oldString, newString });
  const [page, from, to] = [
    "Operations/Operations page 3.md",
    "Engineering/Engineering page 20.md",
    "Operations/Operations page 20.md",
  ];
  return {
    name: "mcpvault (Obsidian)",
    store,
    count: peer.count,
    definitions: peer.definitions,
    close: async () => {
      await peer.close();
      await store.close();
    },
    scripts: {
      "find a fact, fix a word": async () => {
        await call("search_notes", { query: "zebrafish", limit: 1 });
        return patch("Engineering/Engineering page 7.md", "kept for 90 days", "kept for 60 days");
      },
      "add a bullet under a heading": async () => {
        const last = lastBullet(await read("People/People page 5.md"), "Rules");
        return patch("People/People page 5.md", last, `${last}\n- Ask before you leave.`);
      },
      "move a section, keep links": async () => {
        await call("search_notes", { query: "Engineering page 20.md#rules", limit: 20 });
        const rules = sectionIn(await read(from), "Rules");
        await call("write_note", { path: to, content: `\n${rules.trimEnd()}\n`, mode: "append" });
        await patch(from, rules, "");
        return patch("People/People page 20.md", `../${from}#rules`, `../${to}#rules`);
      },
      "three cited paragraphs": async () => {
        await call("search_notes", { query: "quokka nodes", limit: 3 });
        return read(page);
      },
      "one section of 40,000 words": async () => {
        const path = "Product/Product page 1.md";
        const outline = await call("get_note_outline", { path });
        const line = (chapter: number): number =>
          Number(
            new RegExp(`"text":"Chapter ${chapter}"[^}]*?"line":(\\d+)|"line":(\\d+)[^}]*?"text":"Chapter ${chapter}"`)
              .exec(outline)
              ?.slice(1)
              .find(Boolean),
          );
        assert.ok(line(120) > 0, outline.slice(0, 300));
        const lines = await call("read_note_lines", { path, startLine: line(120), endLine: line(121) - 1 });
        return lines.replaceAll("\\n", "\n");
      },
      "new page in the right folder": () =>
        call("write_note", { path: "Operations/Hand-over.md", content: `${NEW_PAGE}\n` }),
      "one cell of 200 rows": async () => {
        await call("search_notes", { query: "part-117", limit: 1 });
        return patch("Finance/Finance page 9.md", "| part-117 | 362 |", "| part-117 | 399 |");
      },
      "overview of 60 pages": async () => {
        let heard = await call("list_directory", { path: "Finance" });
        for (let n = 1; n <= 60; n++)
          heard += await call("read_note_lines", {
            path: `Finance/${titleOf("Finance", n)}.md`,
            startLine: 1,
            endLine: 1,
          });
        return heard;
      },
      "two agents on one page": async () => {
        for (let i = 0; i < 2; i++) await read(page);
        await patch(page, "at dawn", "at noon");
        return patch(page, "share a disk", "share a network");
      },
    },
  };
}
