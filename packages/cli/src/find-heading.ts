import { type Client, isApiError, type OutlineItem } from "@svc/sdk";
import { wholeBlockId } from "./address/whole.ts";
import { CommandError } from "./command-error.ts";
import { EXIT } from "./exit-codes.ts";
import { quoted } from "./output.ts";

/** Finds the block id of a heading by its id, or by its text with or without `#` characters. */
export async function findHeading(client: Client, id: string, address: string, heading: string): Promise<string> {
  const blockId = await wholeBlockId(client, id, heading);
  if (blockId.startsWith("block_")) return blockId;
  const headings = await headingsOf(client, id);
  const wanted = folded(heading.replace(/^#+\s+/, ""));
  const found = headings.find((item) => folded(item.text) === wanted);
  if (found) return found.block_id;
  throw noHeading(heading, address, headings);
}

/** A call that names a heading. If there is none, the error lists the existing headings. */
export async function withHeading<T>(
  client: Client,
  { id, address, heading }: { readonly id: string; readonly address: string; readonly heading: string | undefined },
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (heading === undefined || !isApiError(error, "heading_not_found")) throw error;
    throw noHeading(heading, address, await headingsOf(client, id));
  }
}

const MAX_SHOWN = 20;

function noHeading(heading: string, address: string, found: readonly OutlineItem[]): CommandError {
  const headings = found.map(({ text }) => text);
  const shown = headings.slice(0, MAX_SHOWN).join(", ") + (headings.length > MAX_SHOWN ? ", …" : "");
  const told = headings.length === 0 ? "It has no headings." : `There are: ${shown}.`;
  return new CommandError(EXIT.failure, `There is no heading ${JSON.stringify(heading)} in ${address}. ${told}`, {
    code: "heading_not_found",
    next: [`svc cat --outline ${quoted(address)}`],
    details: { headings },
  });
}

const headingsOf = async (client: Client, id: string): Promise<OutlineItem[]> =>
  flat((await client.get("/documents/{id}/outline", { path: { id } })).data.items);

const folded = (text: string): string => text.replace(/\s+/g, "").toLowerCase();
const flat = (items: readonly OutlineItem[]): OutlineItem[] => items.flatMap((item) => [item, ...flat(item.children)]);
