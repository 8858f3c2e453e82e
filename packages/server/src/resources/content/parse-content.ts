import { keepAllStored } from "@svc/document/schema/keep-stored";
import type { Node } from "@svc/document/types";
import { readBody, type StoredBody } from "../../bodies/body.ts";
import { type MadeBody, type NewBody, newBody, withBlocks } from "../../bodies/new-body.ts";
import { isKept } from "../../bodies/source-texts.ts";
import { readSource } from "../../bodies/sources.ts";
import { type DocumentKey, getBodyState } from "../../bodies/store.ts";
import type { Config } from "../../config.ts";
import type { Reader } from "../../db/database.ts";
import type { DocumentType } from "../../db/schema/tables/documents.ts";
import { makeBody } from "./make-body.ts";
import { isForThread, isLong, makeAside, parseAside } from "./parse-aside.ts";
import { parseBlocks, type SentContent } from "./parse-blocks.ts";

export type { SentContent } from "./parse-blocks.ts";

/** The body of a new document. */
export async function makeNewBody(
  content: SentContent | undefined,
  documentType: DocumentType,
  { maxDocumentCharacters: maxCharacters, workers }: Config,
): Promise<NewBody> {
  if (!content) return newBody([], undefined, maxCharacters);
  const rules = { documentType, maxCharacters };
  const made = isForThread(content, workers) ? await makeAside(content, rules) : undefined;
  return made ?? makeBody(content, rules);
}

/** What a write makes of the current body. */
interface ParsedOver {
  /** The blocks that it asks for, with what is unchanged taken from the current ones. */
  readonly edit: (current: StoredBody) => readonly Node[];
  /** What is stored of them, where it is made already. */
  readonly made?: MadeBody;
}

/** Markdown is parsed before the transaction if it is long, over the body as it is then, or has nothing of it. */
export async function parseOver(
  content: SentContent,
  db: Reader,
  key: DocumentKey,
  { maxDocumentCharacters: maxCharacters, workers }: Config,
  matchIds = false,
): Promise<ParsedOver> {
  const kept = matchIds && content.format === "markdown" ? await readSource(db, key) : undefined;
  const sourceOf = ({ version }: StoredBody) => (kept?.version === version ? kept.source.toString() : undefined);
  const edit = (current: StoredBody) => {
    const rules = { documentType: current.documentType, maxCharacters, matchIds, source: sourceOf(current) };
    return keepAllStored(parseBlocks(content, current.blocks, rules), current.blocks);
  };
  if (isAllNew(content) && !matchIds && isForThread(content, workers))
    return (await makeOver(content, db, key, { maxCharacters, workers })) ?? { edit };
  return isLong(content) ? parseLong(content, db, key, { maxCharacters, matchIds, sourceOf }, edit) : { edit };
}

/** Blocks of Markdown without anchors are new ones, whatever there was. */
const isAllNew = (content: SentContent): boolean => content.format === "markdown" && isKept(content.content);

async function makeOver(
  content: SentContent,
  db: Reader,
  key: DocumentKey,
  { maxCharacters, workers }: { readonly maxCharacters: number; readonly workers: number },
): Promise<ParsedOver | undefined> {
  const { document_type: documentType } = await getBodyState(db, key);
  // Others may have come to the thread meanwhile.
  if (!isForThread(content, workers)) return undefined;
  const made = await makeAside(content, { documentType, maxCharacters }).catch((refusal: Error) => refusal);
  if (made === undefined) return undefined;
  if (made instanceof Error) return { edit: refuse(made) };
  const body = withBlocks(made);
  return { edit: () => body.blocks, made: body };
}

const refuse = (error: Error) => (): never => {
  throw error;
};

interface LongRules {
  readonly maxCharacters: number;
  readonly matchIds: boolean;
  /** The Markdown that a body was read from, where it is kept. */
  readonly sourceOf: (body: StoredBody) => string | undefined;
}

/** If the body has changed since it was parsed over it, it is parsed again. */
async function parseLong(
  content: SentContent,
  db: Reader,
  key: DocumentKey,
  { sourceOf, ...rules }: LongRules,
  edit: ParsedOver["edit"],
): Promise<ParsedOver> {
  const body = await readBody(db, key);
  const { version, documentType, blocks } = body;
  const task = { content, previous: JSON.stringify(blocks), documentType, source: sourceOf(body), ...rules };
  const parsed = await parseAside(task).catch((refusal: Error) => refusal);
  return {
    edit: (current) => {
      if (current.version !== version) return edit(current);
      if (parsed instanceof Error) throw parsed;
      return keepAllStored(parsed, current.blocks);
    },
  };
}
