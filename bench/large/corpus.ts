import { randomFrom } from "../corpus/random.ts";
import { sentence } from "../corpus/text.ts";

/** Documents of one archive, and so of one knowledge base; folders in it. */
export const PER_ARCHIVE = 10_000;
const PER_FOLDER = 100;
/** Each such word stands in this many documents of a whole archive. */
export const PER_MARKER = 10;

/** A word of few documents, by the archive and a number below `PER_ARCHIVE / PER_MARKER`. */
export const markerOf = (archive: number, number: number): string => `marker${archive}x${number}`;

/** The files of an archive: short pages of drawn words in folders, some of which link to their neighbour. */
export function* filesOf(archive: number, count: number): Generator<readonly [path: string, text: string]> {
  const random = randomFrom(1000 + archive);
  const nameOf = (i: number) => `document ${archive * PER_ARCHIVE + i}.md`;
  for (let i = 0; i < count; i++) {
    const marker = markerOf(archive, i % (PER_ARCHIVE / PER_MARKER));
    const link = i % 5 === 0 && i % PER_FOLDER > 0 ? ` [Before](<${nameOf(i - 1)}>)` : "";
    const blocks = [
      `# ${sentence(random, 4)}`,
      sentence(random, 25),
      `${sentence(random, 25)} ${marker}${link}`,
      `- ${sentence(random, 6)}\n- ${sentence(random, 6)}`,
    ];
    yield [`folder ${Math.floor(i / PER_FOLDER)}/${nameOf(i)}`, `${blocks.join("\n\n")}\n`];
  }
}
