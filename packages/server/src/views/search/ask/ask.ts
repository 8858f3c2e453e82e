import { coverageOf } from "@svc/search/best/coverage";
import { borderBefore } from "@svc/search/snippet/text-border";
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
const CITATIONS = 5;
const MAX_QUOTE = 1000;

type Passage = ShownHit & { readonly coverage: number };

/** Answers a question with passages of pages that the caller may see, word for word. */
export async function ask(app: Services, workspaceId: string, input: Question): Promise<AskAnswer> {
  const passages = await findPassages(app, workspaceId, input);
  const best = Math.max(0, ...passages.slice(0, LEADING).map(({ coverage }) => coverage));
  if (best < ANSWERING) return { found: false, generator: "extractive", answer: [], citations: [], warnings: [] };
  const chosen = passages
    .filter((passage) => passage.block.blockId !== "" && passage.coverage >= RELEVANT * best)
    .slice(0, input.max_citations ?? CITATIONS);
  if (chosen.length === 0) return { found: false, generator: "extractive", answer: [], citations: [], warnings: [] };
  return { found: true, generator: "extractive", ...merged(chosen), warnings: [] };
}

async function findPassages(app: Services, workspaceId: string, input: Question): Promise<Passage[]> {
  const { question, knowledge_base_ids = [undefined], locale } = input;
  const passages: Passage[] = [];
  for (const knowledge_base_id of knowledge_base_ids) {
    const { query, result, hits } = await search(app, workspaceId, {
      q: question,
      match: "best",
      limit: HITS,
      ...(knowledge_base_id !== undefined && { knowledge_base_id }),
      ...(locale !== undefined && { locale }),
    });
    for (const hit of hits) passages.push({ ...hit, coverage: coverageOf(query, result.statistics, hit.hit) });
  }
  return passages.sort((a, b) => b.hit.score - a.hit.score || a.hit.number - b.hit.number);
}

/** Numbers the passages, and puts those of one section into one part of the answer, in the order of their ranks. */
function merged(passages: readonly Passage[]): Pick<AskAnswer, "answer" | "citations"> {
  const citations = passages.map(citationOf);
  const sections = Map.groupBy(citations, ({ document_id, heading_path }) =>
    JSON.stringify([document_id, heading_path]),
  );
  const answer = [...sections.values()].map((some) => ({
    text: some.map(({ quote }) => quote).join("\n\n"),
    citations: some.map(({ n }) => n),
  }));
  return { answer, citations };
}

function citationOf({ block }: Passage, index: number): AskAnswer["citations"][number] {
  const { id, title, version } = block.document.row;
  return {
    n: index + 1,
    document_id: id,
    block_id: block.blockId,
    version,
    quote: block.text.slice(0, borderBefore(block.text, MAX_QUOTE)),
    title,
    heading_path: JSON.parse(block.headingPath),
    uri: `${documentUri(id)}#block=${block.blockId}`,
  };
}
