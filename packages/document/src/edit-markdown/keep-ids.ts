import { blockIds, childBlocks } from "../blocks/find.ts";
import { matchByContent } from "../markdown/anchors.ts";
import { keyOf } from "../markdown/reconcile.ts";
import { blockId, mapShared, withContent } from "../schema/node.ts";
import { hasBlockId } from "../schema/nodes.ts";
import type { Node } from "../types.ts";
import { areLists } from "./join-lists.ts";
import type { WriteMarkdown } from "./source-text.ts";

/** Blocks that were read, with the ids of the stored blocks that they stand for. New blocks have no ids. */
export function keepIds(read: readonly Node[], stored: readonly Node[], write: WriteMarkdown): readonly Node[] {
  const matched = matchByContent(read, withJoinedLists(stored, read), write);
  return matched.every(isIdentified) ? matched : keepLost(matched, stored);
}

const isIdentified = (node: Node): boolean => blockId(node) !== undefined && childBlocks(node).every(isIdentified);

/** Lists of one kind as a single list, where fewer were read: some of them became one, and its items keep their ids. */
function withJoinedLists(stored: readonly Node[], read: readonly Node[]): readonly Node[] {
  const [before, now] = [countTypes(stored), countTypes(read)];
  const isJoined = ({ type }: Node): boolean =>
    areLists({ type }, { type }) && (before[type] ?? 0) > Math.max(1, now[type] ?? 0);
  const joined = new Map<string, Node[]>();
  for (const node of stored) if (isJoined(node)) put(joined, node.type, node);
  if (joined.size === 0) return stored;
  return stored.flatMap((node) => {
    const lists = joined.get(node.type);
    if (!lists) return [node];
    const items = lists.flatMap(({ content = [] }) => content);
    return node === lists[0] ? [withContent(node, items)] : [];
  });
}

function countTypes(nodes: readonly Node[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of nodes) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

function put(lists: Map<string, Node[]>, key: string, node: Node): void {
  const others = lists.get(key);
  if (others) others.push(node);
  else lists.set(key, [node]);
}

/** Parts whose container has gone, such as the items of a list that became part of another, keep their ids too. */
function keepLost(read: readonly Node[], stored: readonly Node[]): readonly Node[] {
  const used = blockIds(read);
  const lost = new Map<string, Node[]>();
  const collect = (node: Node): void => {
    if (!used.has(blockId(node) ?? "")) put(lost, keyOf(node), node);
    childBlocks(node).forEach(collect);
  };
  stored.forEach(collect);
  if (lost.size === 0) return read;
  const keep = (node: Node): Node => {
    if (!hasBlockId(node.type)) return node;
    const found = blockId(node) === undefined ? takeUnused(lost.get(keyOf(node)) ?? [], used) : undefined;
    if (found) return found;
    const content = node.content && mapShared(node.content, keep);
    return content && content !== node.content ? withContent(node, content) : node;
  };
  return mapShared(read, keep);
}

/** Takes the first block none of whose ids is in use, and marks its ids as used. */
function takeUnused(candidates: readonly Node[], used: Set<string>): Node | undefined {
  for (const candidate of candidates) {
    const ids = blockIds([candidate]);
    if (!ids.isDisjointFrom(used)) continue;
    for (const id of ids) used.add(id);
    return candidate;
  }
  return undefined;
}
