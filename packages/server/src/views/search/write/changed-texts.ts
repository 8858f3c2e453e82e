import { defined } from "@svc/document/defined";
import { plainText } from "@svc/document/read/text";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import { lowestBlocks, searchableBlocks } from "@svc/search/text/searchable";
import type { BodyDelta } from "../../../bodies/view.ts";

/** Blocks whose text a write changed, with their text now; undefined for those that have none any more. */
export function changedTexts({ before, after, changes }: BodyDelta): Map<string, string | undefined> {
  const old: Node[] = [];
  const current: Node[] = [];
  for (const { change_type, old_position, new_position } of changes) {
    if (change_type === "moved") continue;
    if (old_position !== null) old.push(defined(before[old_position]));
    if (new_position !== null) current.push(defined(after[new_position]));
  }
  const texts = new Map<string, string | undefined>(searchableBlocks(current).map(({ id, text }) => [id, text]));
  for (const node of lowestBlocks(old)) {
    const id = idOf(node);
    if (!texts.has(id)) texts.set(id, undefined);
    else if (texts.get(id) === plainText(node)) texts.delete(id);
  }
  return texts;
}
