import { plainText } from "@svc/document/read/text";
import type { Node } from "@svc/document/types";
import { getBodyState, readBody } from "../../../bodies/load-body.ts";
import type { Reader } from "../../../db/database.ts";
import { blockJson } from "../../../domain/content/blocks/block-json.ts";
import { ApiError } from "../../../errors.ts";
import type { Answer } from "../../../http/answer.ts";

/** Characters of the longest block that is included whole. */
const MAX_CHARACTERS = 2000;

interface FoundAt {
  readonly document_id: string;
  readonly block_id: string | null;
}

interface Block {
  readonly type: string;
  readonly parent_id: string | null;
  readonly markdown?: string;
  readonly text: string;
  readonly node: Node;
}

/** Adds the whole block to each hit of a page, so that the reader need not ask again. */
export async function withBlocks(db: Reader, workspaceId: string, answer: Answer): Promise<Answer> {
  const { dataJson, envelope } = answer;
  const hits = (dataJson === undefined ? envelope?.data : JSON.parse(dataJson)) as readonly FoundAt[];
  const data: object[] = [];
  for (const hit of hits) data.push({ ...hit, block: await wholeBlock(db, workspaceId, hit) });
  const { data: _, ...rest } = envelope ?? {};
  return { envelope: { data, ...rest } };
}

async function wholeBlock(db: Reader, workspaceId: string, hit: FoundAt): Promise<string | null> {
  const { document_id: documentId, block_id: blockId } = hit;
  if (blockId === null) return null;
  try {
    const block = await load(db, workspaceId, documentId, blockId, "markdown");
    const row = block.parent_id === null ? undefined : await rowAbove(db, workspaceId, documentId, block.parent_id);
    const text = row ?? (block.markdown || block.text);
    return text.length <= MAX_CHARACTERS ? text : null;
  } catch (error) {
    // The document was deleted since it was found.
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  }
}

async function load(
  db: Reader,
  workspaceId: string,
  documentId: string,
  blockId: string,
  format?: "markdown",
): Promise<Block> {
  const key = { workspaceId, documentId };
  const state = await getBodyState(db, key);
  const { json } = await blockJson(state.version, blockId, format, () => readBody(db, key, state));
  return JSON.parse(json);
}

/** Returns the row of a cell, in one line. */
async function rowAbove(
  db: Reader,
  workspaceId: string,
  documentId: string,
  cellId: string,
): Promise<string | undefined> {
  const cell = await load(db, workspaceId, documentId, cellId);
  if (cell.parent_id === null || !/^table(?:Cell|Header)$/.test(cell.type)) return undefined;
  const { node } = await load(db, workspaceId, documentId, cell.parent_id);
  const cells = (node.content ?? []).map((each) => plainText(each).replace(/\s+/g, " ").trim());
  return `| ${cells.join(" | ")} |`;
}
