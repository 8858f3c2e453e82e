import { sameJson } from "@svc/document/canonical";
import type { Node } from "@svc/document/types";
import { readBody, type StoredBody } from "../../bodies/body.ts";
import type { DocumentKey } from "../../bodies/store.ts";
import type { Config } from "../../config.ts";
import type { Reader } from "../../db/database.ts";
import type { DocumentType } from "../../db/tables/documents.ts";
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
  return parseBlocks(content, [], documentType, maxCharacters);
}

/** The blocks that a write asks for over the current body, with what is unchanged taken from there. */
export type ParsedOver = (current: StoredBody) => readonly Node[];

/** Long Markdown is parsed before the transaction, over the body as it is then; if it has changed since, again. */
export async function parseOver(
  content: SentContent,
  db: Reader,
  key: DocumentKey,
  config: Config,
): Promise<ParsedOver> {
  const maxCharacters = config.maxDocumentCharacters;
  const parse = (current: StoredBody) =>
    keepSame(parseBlocks(content, current.blocks, current.documentType, maxCharacters), current.blocks);
  if (!isLong(content)) return parse;
  const { version, documentType, blocks } = await readBody(db, key);
  const parsed = await parseAside({ content, previous: JSON.stringify(blocks), documentType, maxCharacters }).catch(
    (refusal: Error) => refusal,
  );
  return (current) => {
    if (current.version !== version) return parse(current);
    if (parsed instanceof Error) throw parsed;
    return keepSame(parsed, current.blocks);
  };
}

/** Puts the stored object in place of an equal one, so that what did not change is known by identity. */
function keepSame(blocks: readonly Node[], previous: readonly Node[]): readonly Node[] {
  if (previous.length === 0) return blocks;
  const stored = new Map(previous.map((block) => [block.attrs?.id, block]));
  return blocks.map((block) => {
    const same = stored.get(block.attrs?.id);
    return same && same !== block && sameJson(same, block) ? same : block;
  });
}
