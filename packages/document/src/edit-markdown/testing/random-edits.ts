import fc from "fast-check";
import { defined } from "../../defined.ts";

/** Small pages as the service writes them, and random edits of their text. */

const words = fc
  .array(fc.constantFrom("one", "two", "**three**", "four", "`five`", "_six_", "[seven](/x)", "8", "|", "#"), {
    minLength: 1,
    maxLength: 5,
  })
  .map((parts) => parts.join(" "));
const lines = (line: fc.Arbitrary<string>, maxLength = 4) =>
  fc.array(line, { minLength: 1, maxLength }).map((all) => all.join("\n"));
const row = fc.tuple(words, words).map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "")).join(" | ")} |`);

const part = fc.oneof(
  { weight: 8, arbitrary: words },
  { weight: 4, arbitrary: words.map((text) => `## ${text}`) },
  { weight: 4, arbitrary: lines(words.map((text) => `- ${text}`)) },
  {
    weight: 2,
    arbitrary: lines(
      words.map((text) => `- ${text}\n  - ${text}`),
      2,
    ),
  },
  {
    weight: 2,
    arbitrary: lines(words).map((all) =>
      all
        .split("\n")
        .map((text, i) => `${i + 1}. ${text}`)
        .join("\n"),
    ),
  },
  {
    weight: 2,
    arbitrary: lines(
      words.map((text) => `- [ ] ${text}`),
      2,
    ),
  },
  {
    weight: 2,
    arbitrary: lines(
      words.map((text) => `> ${text}`),
      2,
    ),
  },
  { weight: 1, arbitrary: fc.tuple(row, lines(row, 3)).map(([head, rows]) => `${head}\n| --- | --- |\n${rows}`) },
  { weight: 1, arbitrary: lines(words, 3).map((text) => `\`\`\`js\n${text}\n\`\`\``) },
  { weight: 1, arbitrary: fc.constantFrom("---", "> [!NOTE]\n> Look.", "[^1]: A note.", "<!-- -->") },
);
export const pages = fc.array(part, { minLength: 1, maxLength: 7 }).map((parts) => parts.join("\n\n"));

interface TextEdit {
  readonly old: string;
  readonly new: string;
}

const news = fc.oneof(
  fc.constantFrom(
    "",
    "\n",
    "\n\n",
    " ",
    "x",
    "```\n",
    "- new",
    "> q\n",
    "| a | b |",
    "## H\n\n",
    "  in",
    "<!-- ",
    "[a]: /x",
  ),
  part,
  part.map((text) => `${text}\n`),
);

/** A cut of a text, by parts of 1000. */
const cut = fc.tuple(fc.nat(999), fc.nat(999));

/** An edit of a text by a random choice; `old` is a part of the text. */
export type EditOf = (text: string) => TextEdit;

const substring: fc.Arbitrary<EditOf> = fc.tuple(cut, news).map(([[at, size], by]) => (text) => {
  const from = Math.floor((at / 1000) * text.length);
  return { old: text.slice(from, from + 1 + Math.floor((size / 1000) * 40)), new: by };
});

/** Lines with their line ends are removed, replaced by other lines of the page, or get some before them. */
export const wholeLines: fc.Arbitrary<EditOf> = fc
  .tuple(cut, fc.nat(2), fc.nat(999), fc.boolean())
  .map(([[at, size], kind, other, hasEnd]) => (text) => {
    const all = text.split("\n");
    const from = Math.floor((at / 1000) * all.length);
    const end = hasEnd ? "\n" : "";
    const old = all.slice(from, from + 1 + Math.floor((size / 1000) * 2)).join("\n") + end;
    const line = defined(all[Math.floor((other / 1000) * all.length)]);
    return { old, new: ["", `${line}${end}`, `${line}\n${old}`][kind]! };
  });

export const edits: fc.Arbitrary<EditOf> = fc.oneof(substring, wholeLines);
