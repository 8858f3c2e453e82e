import { plainText } from "@svc/document/read/text";
import { type Client, isApiError, type SearchHit } from "@svc/sdk";
import { oneLine } from "./text.ts";

/** The longest block that a hit shows whole. */
const WHOLE = 700;

/** The text that a hit stands in: its whole block as Markdown, of a table the row; of a long one the part around it. */
export async function blockOfHit(client: Client, hit: SearchHit): Promise<string> {
  if (hit.block_id === null) return "(in the title)";
  const part = oneLine(`${hit.context.before}${hit.context.match}${hit.context.after}`, 400);
  try {
    const block = await load(client, hit.document_id, hit.block_id, "markdown");
    const row = block.parent_id === null ? undefined : await rowAbove(client, hit.document_id, block.parent_id);
    const text = row ?? (block.markdown || block.text);
    return text.length <= WHOLE ? text : `…${part}…`;
  } catch (error) {
    if (isApiError(error, "not_found")) return part;
    throw error;
  }
}

const load = async (client: Client, id: string, blockId: string, format?: "markdown") =>
  (await client.get("/documents/{id}/blocks/{blockId}", { path: { id, blockId }, query: format ? { format } : {} }))
    .data;

async function rowAbove(client: Client, id: string, cellId: string): Promise<string | undefined> {
  const cell = await load(client, id, cellId);
  if (cell.parent_id === null || !/^table(?:Cell|Header)$/.test(cell.type)) return undefined;
  const row = await load(client, id, cell.parent_id);
  const cells = ((row.node as { content?: never[] }).content ?? []).map((each) => oneLine(plainText(each)));
  return `| ${cells.join(" | ")} |`;
}
