import { DatabaseSync } from "node:sqlite";
import type MiniSearch from "minisearch";
import type { Page } from "./documentation.ts";

/** A page's index and the id of its block. */
type Place = { readonly page: number; readonly blockId: string };

const blocksOf = (pages: readonly Page[]) =>
  pages.flatMap(({ title, blocks, outline }, page) => {
    const open: { level: number; text: string }[] = [];
    const paths = new Map<string, string>();
    for (const [id, level, text] of outline) {
      while (open.length > 0 && (open.at(-1)?.level ?? 0) >= level) open.pop();
      open.push({ level, text });
      paths.set(id, open.map((heading) => heading.text).join(" "));
    }
    return blocks.map(({ id, text, section }) => ({ page, id, text, heading: paths.get(section) ?? "", title }));
  });

/** SQLite's FTS5 with its own stemming, OR and bm25 over the same blocks; with `context` headings and title as columns. */
export function fts5(pages: readonly Page[], context: boolean): (question: string, limit: number) => Place[] {
  const db = new DatabaseSync(":memory:");
  const rows = blocksOf(pages);
  db.exec(
    `create virtual table f using fts5(text${context ? ", heading, title" : ""}, tokenize='porter unicode61 remove_diacritics 2')`,
  );
  const insert = db.prepare(
    `insert into f(rowid, text${context ? ", heading, title" : ""}) values (?${context ? ", ?, ?" : ""}, ?)`,
  );
  for (const [i, { text, heading, title }] of rows.entries())
    insert.run(...(context ? [BigInt(i + 1), text, heading, title] : [BigInt(i + 1), text]));
  const weights = context ? ", 1.0, 0.7, 0.5" : "";
  const select = db.prepare(`select rowid from f where f match ? order by bm25(f${weights}) limit ?`);
  return (question, limit) => {
    const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
    const match = words.map((word) => `"${word}"`).join(" OR ");
    return (select.all(match, limit) as unknown as { rowid: number }[]).map(({ rowid }) => {
      const { page, id } = rows[rowid - 1]!;
      return { page, blockId: id };
    });
  };
}

export async function miniSearch(
  pages: readonly Page[],
): Promise<((question: string, limit: number) => Place[]) | undefined> {
  const loaded = await import("minisearch").catch(() => undefined);
  if (!loaded) return undefined;
  const index: MiniSearch = new loaded.default({ fields: ["text"] });
  const rows = blocksOf(pages);
  index.addAll(rows.map(({ text }, id) => ({ id, text })));
  return (question, limit) =>
    index
      .search(question)
      .slice(0, limit)
      .map(({ id }) => ({ page: rows[id]!.page, blockId: rows[id]!.id }));
}
