import { keepAllStored } from "@svc/document/schema/keep-stored";
import type { Node } from "@svc/document/types";
import { readBody, type StoredBody } from "../../bodies/body.ts";
import type { DocumentKey } from "../../bodies/store.ts";
import type { Config } from "../../config.ts";
import type { Reader } from "../../db/database.ts";
import type { DocumentType } from "../../db/schema/tables/documents.ts";
import { isLong, parseAside } from "./parse-aside.ts";
import { parseBlocks, type SentContent } from "./parse-blocks.ts";

export type { SentContent } from "./parse-blocks.ts";

/** The blocks of a new document. */
export async function parseNewBody(
  content: SentContent | undefined,
  documentType: DocumentType,
  { maxDocumentCharacters: maxCharacters }: Config,
): Promise<readonly Node[]> {
  if (!content) return [];
  if (isLong(content)) return parseAside({ content, previous: "[]", documentType, maxCharacters });
  return parseBlocks(content, [], { documentType, maxCharacters });
}

/** The blocks that a write asks for over the current body, with what is unchanged taken from there. */
type ParsedOver = (current: StoredBody) => readonly Node[];

/** Long Markdown is parsed before the transaction, over the body as it is then; if it has changed since, again. */
export async function parseOver(
  content: SentContent,
  db: Reader,
  key: DocumentKey,
  { maxDocumentCharacters: maxCharacters }: Config,
  matchIds = false,
): Promise<ParsedOver> {
  const parse = (current: StoredBody) => {
    const rules = { documentType: current.documentType, maxCharacters, matchIds };
    return keepAllStored(parseBlocks(content, current.blocks, rules), current.blocks);
  };
  if (!isLong(content)) return parse;
  const { version, documentType, blocks } = await readBody(db, key);
  const task = { content, previous: JSON.stringify(blocks), documentType, maxCharacters, matchIds };
  const parsed = await parseAside(task).catch((refusal: Error) => refusal);
  return (current) => {
    if (current.version !== version) return parse(current);
    if (parsed instanceof Error) throw parsed;
    return keepAllStored(parsed, current.blocks);
  };
}
