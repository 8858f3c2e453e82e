import { ApiError } from "@svc/sdk";
import { findDocument } from "../../resources/documents/queries.ts";
import type { MemberVisit } from "../visit.ts";

const MOST = 50;
/** Of so many the sentence is read. */
const MOST_READ = 20;
/** Relations are read by hundreds. One block may hold very many links to this page. */
const MOST_HUNDREDS = 5;

interface Backlink {
  readonly documentId: string;
  readonly blockId: string | null;
  readonly title: string;
  readonly predicate: string;
  /** The sentence that the link stands in, or the words of the link. */
  readonly text: string;
}

interface Backlinks {
  readonly list: readonly Backlink[];
  /** There are others. */
  readonly hasMore: boolean;
}

/** The places in other documents that point here, each once, with the words they point with. */
export async function readBacklinks(visit: MemberVisit, id: string): Promise<Backlinks> {
  const { places, hasMore } = await readPlaces(visit, id);
  const titles = await titlesOf(visit, [...new Set(places.map((place) => place.source_document_id))]);
  const sentences = await Promise.all(places.slice(0, MOST_READ).map((place) => readSentence(visit, place)));
  const list = places.map((place, index) => ({
    documentId: place.source_document_id,
    blockId: place.source_block_id,
    title: titles.get(place.source_document_id) ?? place.source_document_id,
    predicate: place.predicate,
    text: sentences[index] ?? place.anchor_text,
  }));
  return { list, hasMore };
}

interface Mention {
  readonly source_document_id: string;
  readonly source_block_id: string;
  readonly predicate: string;
  readonly anchor_text: string;
}

const readHundred = ({ api }: MemberVisit, id: string, cursor: string | null) => {
  const query = { direction: "incoming", limit: 100, ...(cursor !== null && { cursor }) } as const;
  return api.get("/documents/{id}/relations", { path: { id }, query });
};

/** A block that has several links to the document is one place. */
async function readPlaces(visit: MemberVisit, id: string) {
  const places = new Map<string, Mention>();
  let cursor: string | null = null;
  for (let hundreds = 0; hundreds < MOST_HUNDREDS && places.size <= MOST; hundreds++) {
    const { data, page } = await readHundred(visit, id, cursor);
    for (const relation of data) {
      const key = [relation.source_document_id, relation.source_block_id, relation.predicate].join(" ");
      if (relation.source_document_id !== id && !places.has(key)) places.set(key, relation);
    }
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  return { places: [...places.values()].slice(0, MOST), hasMore: cursor !== null || places.size > MOST };
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
