import type { StoredBody } from "../../bodies/body.ts";
import { Memory } from "../../bodies/memory.ts";
import { getBlockInfo } from "./read-blocks.ts";
import { blockOf } from "./represent.ts";

/** Blocks as JSON. What a block is follows from the version of its body, so it is written once. */
const known = new Memory<string>(4 * 1024 * 1024);

/**
 * One block, from memory when it was asked for in this version before; otherwise `load` brings the body, which may be a
 * later one by then: the version given back is the one that the block was found in.
 */
export async function blockJson(
  version: string,
  id: string,
  format: "markdown" | "tiptap-json" | undefined,
  load: () => Promise<StoredBody>,
): Promise<{ readonly json: string; readonly version: string }> {
  const nameIn = (one: string) => `${one} ${id} ${format}`;
  const kept = known.get(nameIn(version));
  if (kept !== undefined) return { json: kept, version };
  const body = await load();
  const json = JSON.stringify(blockOf(getBlockInfo(body, id), body.version, format));
  known.set(nameIn(body.version), json, json.length * 2 + 200);
  return { json, version: body.version };
}
