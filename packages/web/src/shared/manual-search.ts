/** A stretch of the manual below one heading. */
export interface ManualSection {
  readonly page: string;
  readonly pageTitle: string;
  /** The heading; the page's title before the first one. */
  readonly title: string;
  readonly slug: string;
  readonly text: string;
}

export interface ManualHit {
  readonly section: ManualSection;
  /** The text around the first word that was found. */
  readonly excerpt: string;
}

const MAX_HITS = 30;
const EXCERPT_LENGTH = 180;

/** The sections that contain every word: first those with the query as it is, then those with the words in headings. */
export function searchManual(sections: readonly ManualSection[], query: string): ManualHit[] {
  const words = wordsOf(query);
  const phrase = words.join(" ");
  if (words.length === 0) return [];
  const found = sections.flatMap((section) => {
    const heading = `${section.pageTitle} ${section.title}`.toLowerCase();
    const text = section.text.toLowerCase();
    if (!words.every((word) => heading.includes(word) || text.includes(word))) return [];
    const inTitle = words.filter((word) => section.title.toLowerCase().includes(word)).length;
    return [{ section, score: inTitle + (text.includes(phrase) ? words.length : 0) }];
  });
  found.sort((a, b) => b.score - a.score);
  return found
    .slice(0, MAX_HITS)
    .map(({ section }) => ({ section, excerpt: excerptOf(section.text, [phrase, ...words]) }));
}

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 12);

/** The text around the first of the words that it contains. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const first = words.map((word) => lower.indexOf(word)).find((place) => place >= 0) ?? 0;
  const from = first < EXCERPT_LENGTH / 2 ? 0 : text.indexOf(" ", first - EXCERPT_LENGTH / 2) + 1;
  const excerpt = text.slice(from, from + EXCERPT_LENGTH).trim();
  return `${from > 0 ? "… " : ""}${excerpt}${from + EXCERPT_LENGTH < text.length ? " …" : ""}`;
}
