import type { StoredBody } from "../../bodies/body.ts";
import { Cache } from "../../cache/cache.ts";
import { getBlockInfo } from "./read-blocks.ts";
import { blockOf } from "./represent.ts";

/** Blocks as JSON. What a block is follows from the version of its body, so it is written once. */
const BLOCKS = new Cache<string>("block_answers", { share: 1 / 32 });

/**
 * One block, from the cache when it was asked for in this version before; otherwise `load` brings the body, which may be a
 * later one by then: the version given back is the one that the block was found in.
 */
export async function blockJson(
  version: string,
  id: string,
  format: "markdown" | "tiptap-json" | undefined,
  load: () => Promise<StoredBody>,
): Promise<{ readonly json: string; readonly version: string }> {
  const nameIn = (one: string) => `${one} ${id} ${format}`;
  const cached = BLOCKS.get(nameIn(version));
  if (cached !== undefined) return { json: cached, version };
  const body = await load();
  const json = JSON.stringify(blockOf(getBlockInfo(body, id), body.version, format));
  BLOCKS.put(nameIn(body.version), json, json.length * 2);
  return { json, version: body.version };
}
