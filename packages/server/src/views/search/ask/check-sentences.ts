import { isFunctionWord } from "@svc/search/best/function-words";
import { tokenize } from "@svc/search/text/tokenizer";
import { type Citation, citationOf, type Passage } from "./passages.ts";
import type { ModelSentence } from "./read-sentences.ts";
import type { AskAnswer } from "./schema.ts";

type Checked = Pick<AskAnswer, "answer" | "citations" | "warnings">;

/**
 * Keeps the sentences that the passages prove. A citation without its quote in its passage is removed, and so is a
 * sentence without a citation, and one with an address that none of its passages has.
 */
export function checkSentences(
  sentences: readonly ModelSentence[],
  passages: readonly Passage[],
  maxCitations: number,
): Checked {
  const citations: Citation[] = [];
  const answer: AskAnswer["answer"] = [];
  let removedQuotes = 0;
  let removedSentences = 0;
  for (const { text, citations: given } of sentences) {
    const proven = given.flatMap(({ passage, quote }) => quoteIn(passages[passage - 1], quote) ?? []);
    removedQuotes += given.length - proven.length;
    const kept = hasForeignAddress(text, proven) ? [] : numbered(proven, citations, maxCitations);
    if (kept.length > 0) answer.push({ text, citations: kept });
    else removedSentences++;
  }
  const warnings = [
    ...warning(removedQuotes, "citation_removed", "citations were removed: their quotes are not in their passages."),
    ...warning(removedSentences, "sentence_removed", "sentences were removed: no passage proves them."),
  ];
  return { answer, citations, warnings };
}

const warning = (count: number, code: string, message: string) =>
  count > 0 ? [{ code, message: `${count} ${message}` }] : [];

type Proven = { readonly passage: Passage; readonly quote: string };

/** The quote as it stands in the passage. White space may differ; a quote of function words alone proves nothing. */
function quoteIn(passage: Passage | undefined, quote: string): Proven | undefined {
  if (!passage || tokenize(quote).every(({ term }) => isFunctionWord(term, []))) return undefined;
  const pattern = quote
    .trim()
    .split(/\s+/)
    .map((word) => RegExp.escape(word))
    .join("\\s+");
  const [found] = new RegExp(pattern, "u").exec(passage.block.text) ?? [];
  return found === undefined ? undefined : { passage, quote: found };
}

const ADDRESS = /(?:[a-z][a-z0-9+.-]*:)?\/\/[^\s<>"')\]]+/giu;

const hasForeignAddress = (text: string, proven: readonly Proven[]): boolean =>
  (text.match(ADDRESS) ?? []).some((address) => {
    const bare = address.replace(/[.,;:!?]+$/, "");
    return !proven.some(({ passage }) => passage.block.text.includes(bare));
  });

/** The numbers of the citations, new ones appended while there is room. */
function numbered(proven: readonly Proven[], citations: Citation[], maxCitations: number): number[] {
  const numbers = new Set<number>();
  for (const { passage, quote } of proven) {
    const { blockId } = passage.block;
    let known = citations.find((other) => other.block_id === blockId && other.quote === quote);
    if (!known && citations.length < maxCitations) {
      known = citationOf(passage, citations.length + 1, quote);
      citations.push(known);
    }
    if (known) numbers.add(known.n);
  }
  return [...numbers];
}
