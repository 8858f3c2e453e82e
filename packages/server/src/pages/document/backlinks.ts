import { ApiError } from "@svc/sdk";
import { findDocument } from "../../resources/documents/queries.ts";
import type { MemberVisit } from "../visit.ts";

const MOST = 50;
/** Of so many the sentence is read. */
const MOST_READ = 20;

interface Backlink {
  readonly documentId: string;
  readonly blockId: string | null;
  readonly title: string;
  readonly predicate: string;
  /** The sentence that the link stands in, or the words of the link. */
  readonly text: string;
}

/** The other documents that point here, with the words they point with. */
export async function readBacklinks(visit: MemberVisit, id: string): Promise<readonly Backlink[]> {
  const query = { direction: "incoming", limit: MOST } as const;
  const answer = await visit.api.get("/documents/{id}/relations", { path: { id }, query });
  const data = answer.data.filter((relation) => relation.source_document_id !== id);
  const titles = await titlesOf(visit, [...new Set(data.map((relation) => relation.source_document_id))]);
  const sentences = await Promise.all(data.slice(0, MOST_READ).map((relation) => readSentence(visit, relation)));
  return data.map((relation, index) => ({
    documentId: relation.source_document_id,
    blockId: relation.source_block_id,
    title: titles.get(relation.source_document_id) ?? relation.source_document_id,
    predicate: relation.predicate,
    text: sentences[index] ?? relation.anchor_text,
  }));
}

interface Mention {
  readonly source_document_id: string;
  readonly source_block_id: string;
  readonly anchor_text: string;
}

/** The sentence around a link; undefined where the block is gone, or none of ours to see. */
async function readSentence(visit: MemberVisit, mention: Mention): Promise<string | undefined> {
  if (!mention.source_block_id) return undefined;
  const path = { id: mention.source_document_id, blockId: mention.source_block_id };
  try {
    const { data } = await visit.api.get("/documents/{id}/blocks/{blockId}", { path });
    return sentenceAround(data.text, mention.anchor_text);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

const LONGEST = 240;

/** The sentence of a text that has these words; the beginning of the text where none has. */
function sentenceAround(text: string, words: string): string {
  const sentences = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text)];
  const found = sentences.find(({ segment }) => words !== "" && segment.includes(words))?.segment ?? text;
  const trimmed = found.trim();
  return trimmed.length > LONGEST ? `${trimmed.slice(0, LONGEST).toWellFormed()}…` : trimmed;
}

/** Titles by id, of the documents that are there. */
export async function titlesOf(visit: MemberVisit, ids: readonly string[]): Promise<Map<string, string>> {
  const db = visit.app.database.read;
  const rows = await Promise.all(ids.map((id) => findDocument(db, visit.viewer.workspace.id, id)));
  return new Map(rows.flatMap((row) => (row ? [[row.id, row.title] as const] : [])));
}
