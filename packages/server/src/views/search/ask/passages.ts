import { coverageOf } from "@svc/search/best/coverage";
import { isFunctionWord } from "@svc/search/best/function-words";
import { borderBefore } from "@svc/search/snippet/text-border";
import { tokenize } from "@svc/search/text/tokenizer";
import { documentUri } from "../../../domain/library/documents/represent.ts";
import type { Services } from "../../../services.ts";
import type { ShownHit } from "../read/represent-hits.ts";
import { search } from "../search.ts";
import type { AskAnswer, Question } from "./schema.ts";

/** The hits among which passages are chosen. */
const HITS = 20;
/** The first of them, one of which must answer the question. */
const LEADING = 8;
/** The share of the question's words, weighted by rarity, that a passage has if it answers the question. */
const ANSWERING = 0.4;
/** Further passages have at least this share of what the best one has. */
const RELEVANT = 0.6;
const MAX_QUOTE = 1000;

/** A hit in a text, and the share of the question's words that it has. */
export type Passage = ShownHit & { readonly coverage: number };

/** The passages that answer a question, the best first; none if no passage has enough of its words. */
export async function findPassages(app: Services, workspaceId: string, input: Question): Promise<Passage[]> {
  const all = await findHits(app, workspaceId, input);
  const best = Math.max(0, ...all.slice(0, LEADING).map(({ coverage }) => coverage));
  if (best < ANSWERING) return [];
  const relevant = all.filter(({ block, coverage }) => block.blockId !== "" && coverage >= RELEVANT * best);
  const texts = relevant.filter((passage) => !isHeading(passage));
  return texts.length > 0 ? texts : relevant;
}

/** A heading answers nothing by itself. */
const isHeading = ({ block }: Passage): boolean => JSON.parse(block.headingPath).at(-1) === block.text;

/** The number of words that a search takes. */
const MAX_WORDS = 32;

/** A long question without repeated words and without those that say nothing, as far as a search takes them. */
function shortened(question: string): string {
  const words = question.split(/\s+/);
  if (words.length <= MAX_WORDS) return question;
  const distinct = new Map(words.map((word) => [word.toLowerCase(), word]));
  const kept = [...distinct.values()].filter((word) => tokenize(word).some(({ term }) => !isFunctionWord(term, [])));
  return kept.slice(0, MAX_WORDS).join(" ") || words.slice(0, MAX_WORDS).join(" ");
}

async function findHits(app: Services, workspaceId: string, input: Question): Promise<Passage[]> {
  const { question, knowledge_base_ids = [undefined], locale } = input;
  const passages: Passage[] = [];
  for (const knowledge_base_id of knowledge_base_ids) {
    const { query, result, hits } = await search(app, workspaceId, {
      q: shortened(question),
      match: "best",
      limit: HITS,
      ...(knowledge_base_id !== undefined && { knowledge_base_id }),
      ...(locale !== undefined && { locale }),
    });
    for (const hit of hits) passages.push({ ...hit, coverage: coverageOf(query, result.statistics, hit.hit) });
  }
  return passages.sort((a, b) => b.hit.score - a.hit.score || a.hit.number - b.hit.number);
}

export type Citation = AskAnswer["citations"][number];

/** The citation of a passage, with its whole text as the quote or with a part of it. */
export function citationOf({ block }: Passage, n: number, quote = wholeQuote(block.text)): Citation {
  const { id, title, version } = block.document.row;
  return {
    ...{ n, document_id: id, block_id: block.blockId, version, quote, title },
    heading_path: JSON.parse(block.headingPath),
    uri: `${documentUri(id)}#block=${block.blockId}`,
  };
}

const wholeQuote = (text: string): string => text.slice(0, borderBefore(text, MAX_QUOTE));
