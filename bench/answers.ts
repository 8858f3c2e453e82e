// How often a question finds its answer: node bench/answers.ts
// 223 questions with an answer and 86 without, about six documentation sets that packages bring, beside FTS5 and
// MiniSearch (if it is installed) on the same blocks. --held-out asks those of a seventh set, on which nothing was tuned.
// Sets of packages that are not installed are downloaded once.

import type { Page } from "./answers/documentation.ts";
import { Engine } from "./answers/engine.ts";
import { fts5, miniSearch } from "./answers/peers.ts";
import { type Question, readQuestions } from "./answers/questions.ts";

type Place = { readonly page: number; readonly blockId: string | null };
type Ask = (question: string, limit: number) => Promise<Place[]> | Place[];

/** Ranks from 1 of the first block of the answer's section, and of the answer itself; Infinity for none. */
type Ranks = { readonly question: Question; readonly section: number; readonly exact: number };

const LIMIT = 10;

async function ranksOf(pages: readonly Page[], question: Question, ask: Ask): Promise<Ranks> {
  const { answer } = question;
  const sections = new Map(pages.flatMap((page) => page.blocks.map(({ id, section }) => [id, section || page.path])));
  const wanted = answer && sections.get(answer.id);
  const places = await ask(question.text, LIMIT);
  const rank = (test: (place: Place) => boolean) => {
    const at = places.findIndex(test);
    return at < 0 ? Infinity : at + 1;
  };
  return {
    question,
    section: rank(({ blockId }) => blockId !== null && sections.get(blockId) === wanted),
    exact: rank(({ blockId }) => blockId === answer?.id),
  };
}

const percent = (part: number, of: number): string => `${((100 * part) / Math.max(1, of)).toFixed(1).padStart(5)} %`;

function print(name: string, ranks: readonly Ranks[]): void {
  const within = (limit: number) => percent(ranks.filter(({ section }) => section <= limit).length, ranks.length);
  const mean = ranks.reduce((sum, { section }) => sum + 1 / section, 0) / Math.max(1, ranks.length);
  const exact = percent(ranks.filter((rank) => rank.exact === 1).length, ranks.length);
  console.log(
    `${name.padEnd(34)} hit@1 ${within(1)}  hit@5 ${within(5)}  hit@10 ${within(10)}  MRR ${mean.toFixed(3)}  exact block first ${exact}`,
  );
}

const results = new Map<string, Ranks[]>();
const show = process.argv.includes("--misses");
for (const { pages, questions } of readQuestions(process.argv.includes("--held-out"))) {
  const engine = await Engine.over(pages);
  const peers: [string, Ask | undefined][] = [
    ["svc", (question, limit) => engine.find(question, limit)],
    ["FTS5 OR, stems", fts5(pages, false)],
    ["FTS5 OR, stems, headings, title", fts5(pages, true)],
    ["MiniSearch", await miniSearch(pages)],
  ];
  for (const [name, ask] of peers) {
    if (!ask) continue;
    const all = results.get(name) ?? [];
    results.set(name, all);
    for (const question of questions) {
      if (!question.answer) continue;
      const ranks = await ranksOf(pages, question, ask);
      all.push(ranks);
      if (show && name === "svc" && ranks.section > 1)
        console.log(`${question.text}\n    ${ranks.section} ${ranks.exact} ${question.answer.text.slice(0, 100)}`);
    }
  }
}
for (const [name, ranks] of results) {
  print(name, ranks);
  for (const kind of ["plain", "reworded", "keyword"] as const)
    print(
      `  ${kind}`,
      ranks.filter(({ question }) => question.kind === kind),
    );
}
