import type { Node } from "@svc/document/types";
import { WeakCache } from "../../../cache/weak-cache.ts";

/** A node that shows an attachment. `blockId` is the nearest block: the node itself unless it is inline. */
interface Reference {
  readonly attachmentId: string;
  readonly blockId: string;
  readonly type: string;
}

const showing: ReadonlySet<string> = new Set(["image", "inlineImage", "attachment"]);

/** The id of the attachment that a node shows. */
export function shownBy(node: Node): string | undefined {
  const id = showing.has(node.type) ? node.attrs?.attachmentId : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Stored blocks never change, so each is walked once. */
const REFERENCES = new WeakCache<Node, readonly Reference[]>("attachment_references");
/** Shared by the blocks without references, which are the majority. */
const NONE: readonly Reference[] = [];

function findIn(block: Node): readonly Reference[] {
  const found = findReferences([block]);
  return found.length === 0 ? NONE : found;
}

const referencesIn = (block: Node): readonly Reference[] => REFERENCES.getOrMake(block, findIn);

/** Same as `referencesOf`, without caching, for blocks that are examined once. */
export function findReferences(blocks: readonly Node[]): Reference[] {
  const found: Reference[] = [];
  for (const block of blocks) collect(block, "", found);
  return found;
}

function collect(node: Node, nearest: string, found: Reference[]): void {
  const id = node.attrs?.id;
  const blockId = typeof id === "string" && node.type !== "inlineImage" ? id : nearest;
  const attachmentId = shownBy(node);
  if (attachmentId !== undefined) found.push({ attachmentId, blockId, type: node.type });
  if (node.content) for (const child of node.content) collect(child, blockId, found);
}

/** Every node of these blocks that shows an attachment, in document order. */
export const referencesOf = (blocks: readonly Node[]): Reference[] => {
  const all: Reference[] = [];
  for (const block of blocks) for (const reference of referencesIn(block)) all.push(reference);
  return all;
};

export const countReferences = (blocks: readonly Node[], attachmentId: string): number =>
  referencesOf(blocks).filter((reference) => reference.attachmentId === attachmentId).length;
