import { DatabaseSync } from "node:sqlite";
import { defined } from "@svc/document/defined";
import type { Query } from "@svc/search/query/query";
import { scan } from "@svc/search/text/tokenizer";

const blocksPerDocument = 33;

/** Deterministic numbers in [0, 1). */
function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const random = randomSource(7);
const pick = (text: string): string => defined(text[Math.floor(random() * text.length)]);
const repeat = (least: number, most: number, part: () => string): string =>
  Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, part).join("");

const latin = (): string => repeat(1, 4, () => pick("bcdfghklmnprstvw") + pick("aeiouy"));
const wordMakers: (() => string)[] = [
  latin,
  latin,
  latin,
  () => repeat(1, 4, () => pick("бвгдклмнпрст") + pick("аеиоуя")),
  () => latin() + latin().replace(/^./, (letter) => letter.toUpperCase()),
  () => repeat(1, 3, () => String.fromCharCode(0x4e00 + Math.floor(random() ** 3 * 4000))),
  () => repeat(1, 3, () => String.fromCharCode(0xac00 + Math.floor(random() ** 3 * 4000))),
  () => `${latin()}é${latin()}`,
];

/** 60,000 words; the rank-th is chosen with a probability that falls as 1/rank. */
const words = Array.from({ length: 60_000 }, (_, rank) => defined(wordMakers[rank % wordMakers.length])());
const zipf = (): string => words[Math.floor(words.length ** random()) - 1] ?? defined(words[0]);
export const blockText = (): string => Array.from({ length: 4 + Math.floor(random() * 28) }, zipf).join(" ");

/** CPU time of this process in ms: what other jobs on the machine take does not count. */
export function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Our tokens, for a full-text index that takes them as they are. */
function tokensOf(text: string): string {
  const terms: string[] = [];
  scan(text, (term) => terms.push(term));
  return terms.join(" ");
}

export function buildFts5(texts: readonly string[]): { database: DatabaseSync; seconds: number } {
  const database = new DatabaseSync(":memory:");
  database.exec("create virtual table f using fts5(t, content='', contentless_delete=1, tokenize='ascii')");
  const insert = database.prepare("insert into f(rowid, t) values (?, ?)");
  const from = cpuMilliseconds();
  for (let i = 0; i < texts.length; i += blocksPerDocument) {
    database.exec("begin");
    for (let j = i; j < Math.min(i + blocksPerDocument, texts.length); j++)
      insert.run(j + 1, tokensOf(defined(texts[j])));
    database.exec("commit");
  }
  return { database, seconds: (cpuMilliseconds() - from) / 1000 };
}

/** Words of about a share of the blocks. */
export function queriesOf(texts: readonly string[]): Record<string, string[]> {
  const frequency = new Map<string, number>();
  for (const text of texts)
    for (const word of new Set(text.split(" "))) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const between = (low: number, high: number): string[] =>
    [...frequency].filter(([, count]) => count >= low && count <= high).map(([word]) => word);
  const some = (list: string[], count: number): string[] =>
    list.filter((_, i) => i % Math.max(1, Math.floor(list.length / count)) === 0).slice(0, count);
  const n = texts.length;
  const common = some(between(n * 0.04, n), 10);
  const medium = some(between(n * 0.0007, n * 0.0015), 10);
  const pairs = common.slice(1).map((word, i) => `${common[i]} ${word}`);
  return {
    rare: some(between(3, 15), 10),
    medium,
    "common 1": common,
    "common 2": pairs,
    "common 3": common.slice(2).map((word, i) => `${common[i]} ${common[i + 1]} ${word}`),
    mixed: medium.map((word, i) => `${common[i % common.length]} ${word}`),
    phrase: pairs.map((pair) => `"${pair}"`),
  };
}

/** The same as an FTS5 expression over our terms. */
export function fts5Expression(query: Query): string {
  return query.required
    .map((unit) => `"${unit.slots.map((slot) => slot.term).join(" ")}"${defined(unit.slots.at(-1)).prefix ? "*" : ""}`)
    .join(" AND ");
}
