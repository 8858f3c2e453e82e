import { join } from "node:path";
import { FOLDERS, titleOf } from "../corpus.ts";
import { FolderStore } from "../folder-store.ts";
import { NEW_PAGE } from "../tasks.ts";
import type { Way } from "../way.ts";
import { lastBullet, sectionIn, startPeer } from "./peer.ts";

/** Files by @modelcontextprotocol/server-filesystem. It searches names, not texts: those are read folder by folder. */
export async function filesystemWay(): Promise<Way> {
  const store = new FolderStore();
  const peer = await startPeer("@modelcontextprotocol/server-filesystem/dist/index.js", store.directory);
  const { call } = peer;
  const path = (folder: string, title: string) => join(store.directory, folder, `${title}.md`);
  const read = (folder: string, title: string) => call("read_text_file", { path: path(folder, title) });
  const edit = (folder: string, title: string, oldText: string, newText: string) =>
    call("edit_file", { path: path(folder, title), edits: [{ oldText, newText }] });
  const readFolder = (folder: string) =>
    call("read_multiple_files", { paths: Array.from({ length: 60 }, (_, n) => path(folder, titleOf(folder, n + 1))) });
  /** Everything up to the folder in which the words are found. */
  const look = async (words: string, everywhere = false): Promise<string> => {
    let heard = await call("directory_tree", { path: store.directory, excludePatterns: [".git"] });
    for (const folder of [...FOLDERS].sort()) {
      heard += await readFolder(folder);
      if (!everywhere && heard.includes(words)) return heard;
    }
    return heard;
  };
  return {
    name: "server-filesystem",
    store,
    count: peer.count,
    definitions: peer.definitions,
    close: async () => {
      await peer.close();
      await store.close();
    },
    scripts: {
      "find a fact, fix a word": async () => {
        await look("zebrafish");
        return edit("Engineering", "Engineering page 7", "kept for 90 days", "kept for 60 days");
      },
      "add a bullet under a heading": async () => {
        const last = lastBullet(await read("People", "People page 5"), "Rules");
        return edit("People", "People page 5", last, `${last}\n- Ask before you leave.`);
      },
      "move a section, keep links": async () => {
        await look("Engineering page 20.md#rules", true);
        const text = await read("Engineering", "Engineering page 20");
        const target = await read("Operations", "Operations page 20");
        const rules = sectionIn(text, "Rules");
        const end = target.trimEnd().split("\n").at(-1) ?? "";
        await edit("Operations", "Operations page 20", end, `${end}\n\n${rules.trimEnd()}`);
        await edit("Engineering", "Engineering page 20", rules, "");
        const from = "../Engineering/Engineering page 20.md#rules";
        return edit("People", "People page 20", from, "../Operations/Operations page 20.md#rules");
      },
      "three cited paragraphs": () => look("Quokka nodes answer"),
      "one section of 40,000 words": () => read("Product", "Product page 1"),
      "new page in the right folder": () =>
        call("write_file", { path: path("Operations", "Hand-over"), content: `${NEW_PAGE}\n` }),
      "one cell of 200 rows": async () => {
        await read("Finance", "Finance page 9");
        return edit("Finance", "Finance page 9", "| part-117 | 362 |", "| part-117 | 399 |");
      },
      "overview of 60 pages": async () => {
        let heard = await call("list_directory", { path: join(store.directory, "Finance") });
        for (let n = 1; n <= 60; n++)
          heard += await call("read_text_file", { path: path("Finance", titleOf("Finance", n)), head: 1 });
        return heard;
      },
      "two agents on one page": async () => {
        for (let i = 0; i < 2; i++) await read("Operations", "Operations page 3");
        await edit("Operations", "Operations page 3", "at dawn", "at noon");
        return edit("Operations", "Operations page 3", "share a disk", "share a network");
      },
    },
  };
}
