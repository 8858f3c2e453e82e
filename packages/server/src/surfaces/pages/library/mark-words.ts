import { isFunctionWord } from "@svc/search/best/function-words";
import { formsOf } from "@svc/search/best/stems";
import { tokenize } from "@svc/search/text/tokenizer";

/** A stretch of a shown text; marked if it is a word of the query. */
interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

type Matcher = (term: string) => boolean;

const termsOf = (text: string): string[] => tokenize(text).flatMap(({ term, kind }) => (kind === "part" ? [] : term));

/** Function words say nothing about a page: they are neither marked nor missed. */
export const isSilent = (word: string): boolean => termsOf(word).every((term) => isFunctionWord(term, []));

const exactly = (term: string): Matcher => {
  return (other) => other === term;
};

const inAllForms = (term: string): Matcher => {
  const forms = formsOf(term, []);
  return forms ? (other) => forms.has(other) : exactly(term);
};

/** The matchers of a query: quoted words as written, beginnings, and all others in all their forms. */
function matchersOf(q: string): Matcher[] {
  const matchers: Matcher[] = [];
  const silent: Matcher[] = [];
  for (const [, not, quoted, word, star] of q.matchAll(/(-)?(?:"([^"]*)"|([^\s"*]+)(\*)?)/gu)) {
    if (not) continue;
    for (const term of termsOf(quoted ?? word ?? "")) {
      if (star) matchers.push((other) => other.startsWith(term));
      else if (quoted !== undefined) matchers.push(exactly(term));
      else (isFunctionWord(term, []) ? silent : matchers).push(inAllForms(term));
    }
  }
  return matchers.length > 0 ? matchers : silent;
}

/** Splits texts at the words of a query, marked in all their forms. */
export function wordMarker(q: string): (text: string) => Piece[] {
  const matchers = matchersOf(q);
  return (text) => {
    const pieces: Piece[] = [];
    let from = 0;
    for (const { term, start, end } of tokenize(text)) {
      if (start < from || !matchers.some((matches) => matches(term))) continue;
      pieces.push({ text: text.slice(from, start), isMarked: false }, { text: text.slice(start, end), isMarked: true });
      from = end;
    }
    return [...pieces, { text: text.slice(from), isMarked: false }].filter(({ text }) => text !== "");
  };
}
