import { nodeAt } from "@svc/document/blocks/find";
import { plainText } from "@svc/document/read/text";
import { readBody } from "../../../bodies/load-body.ts";
import { listRelations } from "../../../domain/knowledge/relations/list-relations.ts";
import { ownVias } from "../../../domain/knowledge/relations/target.ts";
import { findDocument } from "../../../domain/library/documents/queries.ts";
import { type MemberVisit, unlessMissing } from "../visit.ts";

const MAX_BACKLINKS = 50;
/** For how many links the sentence around them is read. */
const MAX_SENTENCES = 20;
/** Relations are read in pages of a hundred. One block may hold very many links to this page. */
const MAX_RELATION_PAGES = 5;

interface Backlink {
  readonly documentId: string;
  readonly blockId: string | null;
  readonly title: string;
  readonly predicate: string;
  /** The sentence around the link, or the link's text. */
  readonly text: string;
}

interface Backlinks {
  readonly list: readonly Backlink[];
  /** True if there are more links. */
  readonly hasMore: boolean;
}

/** The blocks in other documents that link here, each once, with the text around the link. */
export async function readBacklinks(visit: MemberVisit, id: string): Promise<Backlinks> {
  const { mentions, hasMore } = await readMentions(visit, id);
  const [titles, sentences] = await Promise.all([
    titlesOf(visit, [...new Set(mentions.map((mention) => mention.source_document_id))]),
    Promise.all(mentions.slice(0, MAX_SENTENCES).map((mention) => readSentence(visit, mention))),
  ]);
  const list = mentions.map((mention, index) => ({
    documentId: mention.source_document_id,
    blockId: mention.source_block_id,
    title: titles.get(mention.source_document_id) ?? mention.source_document_id,
    predicate: mention.predicate,
    text: sentences[index] ?? mention.anchor_text,
  }));
  return { list, hasMore };
}

interface Mention {
  readonly source_document_id: string;
  readonly source_block_id: string;
  readonly predicate: string;
  readonly anchor_text: string;
}

const readHundred = async ({ app, viewer, baseUrl }: MemberVisit, documentId: string, cursor: string | null) => {
  const query = { direction: "incoming", limit: 100, ...(cursor !== null && { cursor }) } as const;
  const asked = { workspaceId: viewer.workspace.id, documentId, query, vias: ownVias(baseUrl) };
  return (await listRelations(app, app.database.read, asked)).envelope;
};

/** Blocks that link to the document; several links in one block count once. */
async function readMentions(visit: MemberVisit, id: string) {
  const mentions = new Map<string, Mention>();
  let cursor: string | null = null;
  for (let page = 0; page < MAX_RELATION_PAGES && mentions.size <= MAX_BACKLINKS; page++) {
    const { data, page } = await readHundred(visit, id, cursor);
    for (const relation of data) {
      const key = [relation.source_document_id, relation.source_block_id, relation.predicate].join(" ");
      if (relation.source_document_id !== id && !mentions.has(key)) mentions.set(key, relation);
    }
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  return {
    mentions: [...mentions.values()].slice(0, MAX_BACKLINKS),
    hasMore: cursor !== null || mentions.size > MAX_BACKLINKS,
  };
}

/** The sentence around a link; undefined if the block is gone or the viewer may not see it. */
async function readSentence(visit: MemberVisit, mention: Mention): Promise<string | undefined> {
  if (!mention.source_block_id) return undefined;
  const key = { workspaceId: visit.viewer.workspace.id, documentId: mention.source_document_id };
  const body = await unlessMissing(readBody(visit.app.database.read, key));
  const path = body?.locate(body.body, mention.source_block_id);
  return body && path && sentenceAround(plainText(nodeAt(body.body, path)), mention.anchor_text);
}

const LONGEST = 240;

/** The sentence of a text that contains these words; the start of the text if none does. */
function sentenceAround(text: string, words: string): string {
  const sentences = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text)];
  const found = sentences.find(({ segment }) => words !== "" && segment.includes(words))?.segment ?? text;
  const trimmed = found.trim();
  return trimmed.length > LONGEST ? `${trimmed.slice(0, LONGEST).toWellFormed()}…` : trimmed;
}

/** Titles by id, for the documents that exist. */
export async function titlesOf(visit: MemberVisit, ids: readonly string[]): Promise<Map<string, string>> {
  const db = visit.app.database.read;
  const rows = await Promise.all(ids.map((id) => findDocument(db, visit.viewer.workspace.id, id)));
  return new Map(rows.flatMap((row) => (row ? [[row.id, row.title] as const] : [])));
}
