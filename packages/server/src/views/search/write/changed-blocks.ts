import { defined } from "@svc/document/defined";
import { plainText } from "@svc/document/read/text";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import { isHeading, type Outline, outlineOf, sectionAt, sectionsOf } from "@svc/search/text/outline";
import { lowestBlocks, searchableBlocks } from "@svc/search/text/searchable";
import type { BodyDelta } from "../../../services/body-views.ts";
import type { PlacedText } from "./document-blocks.ts";

/** The effect of a write on a body's blocks, as far as search is concerned. By block id. */
export interface ChangedBlocks {
  /** The current texts of changed blocks; undefined for blocks that have none any more. */
  readonly texts: Map<string, PlacedText | undefined>;
  /** The current sections of other blocks that are now in a different one. */
  readonly moved: Map<string, string>;
  /** The current headings, if some of them changed. */
  readonly outline: Outline | undefined;
}

export function changedBlocks(delta: BodyDelta): ChangedBlocks {
  const { before, after, changes } = delta;
  const texts = new Map<string, PlacedText | undefined>();
  const moved = new Map<string, string>();
  const isRearranged = changes.some((change) => rearranges(delta, change));
  const isWide = isRearranged || changes.length > FEW_CHANGES;
  const sectionBefore = sectionFinder(before, isWide);
  const sectionAfter = sectionFinder(after, isWide);
  const old: Node[] = [];
  for (const { change_type, old_position, new_position } of changes) {
    if (old_position !== null && change_type !== "moved") old.push(defined(before[old_position]));
    if (new_position === null) continue;
    const section = sectionAfter(new_position);
    const blocks = searchableBlocks([defined(after[new_position])]);
    if (old_position !== null && sectionBefore(old_position) !== section)
      for (const { id } of blocks) moved.set(id, section);
    if (change_type !== "moved") for (const { id, text } of blocks) texts.set(id, { text, section });
  }
  for (const node of lowestBlocks(old)) {
    const id = idOf(node);
    if (!texts.has(id)) texts.set(id, undefined);
    else if (texts.get(id)?.text === plainText(node)) texts.delete(id);
  }
  if (isRearranged) noteSections(before, after, moved);
  for (const id of texts.keys()) moved.delete(id);
  return { texts, moved, outline: changes.some((change) => isOfHeading(delta, change)) ? outlineOf(after) : undefined };
}

type Change = BodyDelta["changes"][number];

/** Up to this many changes, the section of each is found separately. */
const FEW_CHANGES = 4;

function sectionFinder(blocks: readonly Node[], isWide: boolean): (position: number) => string {
  if (!isWide) return (position) => sectionAt(blocks, position);
  const sections = sectionsOf(blocks);
  return (position) => defined(sections[position]);
}

const at = (blocks: readonly Node[], position: number | null) => (position === null ? undefined : blocks[position]);

const isOfHeading = ({ before, after }: BodyDelta, { old_position, new_position }: Change): boolean =>
  isHeading(at(before, old_position)) || isHeading(at(after, new_position));

/** Whether unchanged blocks may be in another section now. */
function rearranges(delta: BodyDelta, change: Change): boolean {
  if (!isOfHeading(delta, change)) return false;
  const { change_type, old_position, new_position } = change;
  const stays = change_type === "modified" && old_position === new_position;
  return !stays || isHeading(at(delta.before, old_position)) !== isHeading(at(delta.after, new_position));
}

/** Records the sections of all existing blocks that were in another one before. */
function noteSections(before: readonly Node[], after: readonly Node[], moved: Map<string, string>): void {
  const sectionsBefore = sectionsOf(before);
  const old = new Map(before.map((block, i) => [idOf(block), defined(sectionsBefore[i])]));
  for (const [i, section] of sectionsOf(after).entries()) {
    const block = defined(after[i]);
    const was = old.get(idOf(block));
    if (was === undefined || was === section) continue;
    for (const { id } of searchableBlocks([block])) moved.set(id, section);
  }
}
