import type { StoredBody } from "../../../bodies/body.ts";
import { Cache } from "../../../cache/cache.ts";
import { getBlockInfo } from "./read-blocks.ts";
import { blockOf } from "./represent.ts";

/** Blocks as JSON. They depend only on the body's version, so each is serialized once. */
const BLOCKS = new Cache<string>("block_answers", { share: 1 / 32 });

/**
 * One block, from the cache if this version was requested before. Otherwise `load` reads the body, possibly of a later
 * version by then; returns the version that the block was found in.
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
