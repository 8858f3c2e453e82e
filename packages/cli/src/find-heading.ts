import type { Client, OutlineItem } from "@svc/sdk";
import { wholeBlockId } from "./address/whole.ts";
import { CommandError } from "./command-error.ts";
import { EXIT } from "./exit-codes.ts";
import { quoted } from "./output.ts";

/** The block id of a heading that is named by its text, with or without its number signs, or by its id. */
export async function findHeading(client: Client, id: string, address: string, heading: string): Promise<string> {
  const blockId = await wholeBlockId(client, id, heading);
  if (blockId.startsWith("block_")) return blockId;
  const { data } = await client.get("/documents/{id}/outline", { path: { id } });
  const wanted = folded(heading.replace(/^#+\s+/, ""));
  const found = flat(data.items).find((item) => folded(item.text) === wanted);
  if (found) return found.block_id;
  throw new CommandError(EXIT.failure, `There is no heading ${JSON.stringify(heading)} in ${address}.`, {
    code: "heading_not_found",
    next: [`svc cat --outline ${quoted(address)}`],
  });
}

const folded = (text: string): string => text.replace(/\s+/g, "").toLowerCase();
const flat = (items: readonly OutlineItem[]): OutlineItem[] => items.flatMap((item) => [item, ...flat(item.children)]);
