import { defined } from "@svc/document/defined";

export type Random = (below: number) => number;

/** Whole numbers below a bound, the same in every run. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}

const WORDS = 20_000;

/** Words of two to eight letters, all different, the same in every run. */
const words: readonly string[] = (() => {
  const random = randomFrom(1);
  const pick = (letters: string) => defined(letters[random(letters.length)]);
  const found = new Set<string>();
  while (found.size < WORDS) {
    const syllables = Array.from({ length: 1 + random(4) }, () => pick("bcdfghklmnprstvwz") + pick("aeiouy"));
    found.add(syllables.join(""));
  }
  return [...found];
})();

/** A word; the one of rank r comes with a probability that falls as 1/r, as in real text. */
const word = (random: Random): string => defined(words[Math.floor(WORDS ** (random(1e9) / 1e9)) - 1]);

/** The words of these ranks, the most frequent one being 0. */
export const wordsOfRank = (from: number, to: number): readonly string[] => words.slice(from, to);

/** Some words, and a number that makes it differ from every other. */
export const sentence = (random: Random, length: number): string =>
  `${Array.from({ length }, () => word(random)).join(" ")} ${random(1e9)}.`;

/** About 10 KB of Markdown in 45 blocks: headings, paragraphs with marks, lists, code. */
export function article(random: Random): string {
  const parts: string[] = [];
  for (let i = 0; i < 9; i++)
    parts.push(
      `## ${sentence(random, 4)}`,
      `${sentence(random, 40)} **${sentence(random, 3)}** and [a link](https://a.example/${i}) ${sentence(random, 40)}`,
      `- ${sentence(random, 9)}\n- ${sentence(random, 9)}\n- *${sentence(random, 5)}*`,
      `${sentence(random, 60)} \`code\``,
      `\`\`\`js\nconst x = ${random(1e6)};\n\`\`\``,
    );
  return parts.join("\n\n");
}

export const paragraphs = (random: Random, count: number, length = 8): string =>
  Array.from({ length: count }, () => sentence(random, length)).join("\n\n");

/** Words by how many of the texts' blocks contain them. */
export function queriesOf(texts: readonly string[]): Record<"rare" | "allRare" | "common" | "two", readonly string[]> {
  const frequency = new Map<string, number>();
  let blocks = 0;
  for (const text of texts)
    for (const block of text.split("\n\n")) {
      blocks++;
      for (const found of new Set(block.match(/\b[a-z]{2,}\b/g))) frequency.set(found, (frequency.get(found) ?? 0) + 1);
    }
  const known = new Set(words);
  const between = (least: number, most: number): string[] =>
    [...frequency].filter(([text, count]) => known.has(text) && count >= least && count <= most).map(([text]) => text);
  const some = (all: readonly string[]): string[] => {
    const step = Math.max(1, Math.floor(all.length / 20));
    return all.filter((_, i) => i % step === 0);
  };
  const allRare = between(3, 15);
  const common = some(between(blocks * 0.04, blocks * 0.25));
  return {
    rare: some(allRare),
    allRare,
    common,
    two: common.map((text, i) => `${text} ${common[(i + 1) % common.length]}`),
  };
}
