import { mayHaveAnchors } from "@svc/document/markdown/anchor-comment";
import { keepAllStored } from "@svc/document/schema/keep-stored";
import type { Node } from "@svc/document/types";
import type { Config } from "../../config.ts";
import type { Reader } from "../../db/database.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import type { DocumentType } from "../../db/schema/tables/documents.ts";
import type { StoredBody } from "../body.ts";
import { getBodyState, readBody } from "../load-body.ts";
import { type MadeBody, type NewBody, newBody, withBlocks } from "../new-body.ts";
import { isKept } from "../source-texts.ts";
import { readSource } from "../sources.ts";
import { makeBody } from "./make-body.ts";
import { parseBlocks, type SentContent } from "./parse-blocks.ts";
import { isForThread, isLong, makeInWorker, parseInWorker } from "./parse-in-worker.ts";

export type { SentContent } from "./parse-blocks.ts";

/** Makes the body of a new document. */
export async function makeNewBody(
  content: SentContent | undefined,
  documentType: DocumentType,
  { maxDocumentCharacters: maxCharacters, workers }: Config,
): Promise<NewBody> {
  if (!content) return newBody([], undefined, maxCharacters);
  const rules = { documentType, maxCharacters };
  const made = isForThread(content, workers) ? await makeInWorker(content, rules) : undefined;
  return made ?? makeBody(content, rules);
}

/** The result of parsing a write over the current body. */
interface ParsedOver {
  /** Returns the wanted blocks; unchanged blocks come from the current ones. */
  readonly edit: (current: StoredBody) => readonly Node[];
  /** Their stored form, if it has been made already. */
  readonly made?: MadeBody;
}

/** Parses Markdown before the transaction if it is long, over the body at that time, or if it keeps no block of it. */
export async function parseOver(
  content: SentContent,
  db: Reader,
  key: DocumentKey,
  { maxDocumentCharacters: maxCharacters, workers }: Config,
  matchIds = false,
): Promise<ParsedOver> {
  const isOver = content.format === "markdown" && (matchIds || mayHaveAnchors(content.content));
  const kept = isOver ? await readSource(db, key) : undefined;
  const style = kept?.source.toString();
  const sourceOf = ({ version }: StoredBody) => (kept?.version === version ? kept.source.toString() : undefined);
  const edit = (current: StoredBody) => {
    const rules = { documentType: current.documentType, maxCharacters, matchIds, source: sourceOf(current), style };
    return keepAllStored(parseBlocks(content, current.blocks, rules), current.blocks);
  };
  if (isAllNew(content) && !matchIds && isForThread(content, workers))
    return (await makeOver(content, db, key, { maxCharacters, workers })) ?? { edit };
  return isLong(content) ? parseLong(content, db, key, { maxCharacters, matchIds, sourceOf, style }, edit) : { edit };
}

/** Blocks of Markdown without anchors are all new, whatever the body was. */
const isAllNew = (content: SentContent): boolean => content.format === "markdown" && isKept(content.content);

async function makeOver(
  content: SentContent,
  db: Reader,
  key: DocumentKey,
  { maxCharacters, workers }: { readonly maxCharacters: number; readonly workers: number },
): Promise<ParsedOver | undefined> {
  const { document_type: documentType } = await getBodyState(db, key);
  // Other bodies may have been queued for the worker meanwhile.
  if (!isForThread(content, workers)) return undefined;
  const made = await makeInWorker(content, { documentType, maxCharacters }).catch((refusal: Error) => refusal);
  if (made === undefined) return undefined;
  if (made instanceof Error) return { edit: refuse(made) };
  const body = await withBlocks(made);
  return { edit: () => body.blocks, made: body };
}

const refuse = (error: Error) => (): never => {
  throw error;
};

interface LongRules {
  readonly maxCharacters: number;
  readonly matchIds: boolean;
  readonly style: string | undefined;
  /** The Markdown that a body was read from, if it is stored. */
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
  const parsed = await parseInWorker(task).catch((refusal: Error) => refusal);
  return {
    edit: (current) => {
      if (current.version !== version) return edit(current);
      if (parsed instanceof Error) throw parsed;
      return keepAllStored(parsed, current.blocks);
    },
  };
}

/** Reads content that is proposed over a body that `load` finds, long Markdown in the thread and before the transaction. */
export async function parseProposed(
  content: SentContent,
  { maxDocumentCharacters: maxCharacters }: Pick<Config, "maxDocumentCharacters">,
  load: () => Promise<StoredBody>,
): Promise<(base: StoredBody) => Promise<readonly Node[]>> {
  const here = async ({ blocks, documentType }: StoredBody) =>
    parseBlocks(content, blocks, { documentType, maxCharacters, matchIds: true });
  if (!isLong(content)) return here;
  const aside = ({ blocks, documentType }: StoredBody) =>
    parseInWorker({ content, previous: JSON.stringify(blocks), documentType, maxCharacters, matchIds: true });
  // A version that is missing is refused within the transaction.
  const body = await load().catch(() => undefined);
  const ahead = body && (await settled(aside(body)));
  return async (base) => (ahead && base.version === body.version ? ahead() : aside(base));
}

/** The outcome of a promise, given or thrown when it is asked for. */
const settled = <T>(promise: Promise<T>): Promise<() => T> =>
  promise.then(
    (value) => () => value,
    (error: Error) => refuse(error),
  );
