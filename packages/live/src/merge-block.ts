import type { MergeBlock } from "@svc/document/merge3";
import type { Node } from "@svc/document/types";
import * as Y from "yjs";
import { decodeElement, encodeElement } from "./element.ts";
import { patchElement } from "./patch.ts";

/** Client ids of the three small documents: if both sides insert at the same offset, theirs comes first. */
const BASE = 1;
const THEIRS = 2;
const MINE = 3;

/**
 * Merges a block that both sides changed: applies each side's change to a replica of a small Yjs document and syncs the
 * replicas. Merges text by character and children by id. If both sides added a block under the same id, theirs wins.
 */
export const mergeBlock: MergeBlock = (base, theirs, mine) => {
  if (base === undefined) return theirs;
  const origin = replica(BASE);
  root(origin).insert(0, [encodeElement(base)]);
  const start = Y.encodeStateAsUpdate(origin);
  for (const [client, node] of [
    [THEIRS, theirs],
    [MINE, mine],
  ] as const)
    Y.applyUpdate(origin, changeOf(start, client, node));
  return decodeElement(blockIn(origin));
};

function replica(client: number): Y.Doc {
  const doc = new Y.Doc();
  doc.clientID = client;
  return doc;
}

const root = (doc: Y.Doc): Y.XmlFragment => doc.getXmlFragment("block");

function blockIn(doc: Y.Doc): Y.XmlElement {
  const block = root(doc).get(0);
  if (!(block instanceof Y.XmlElement)) throw new Error("The small document has no block.");
  return block;
}

function changeOf(start: Uint8Array, client: number, node: Node): Uint8Array {
  const doc = replica(client);
  Y.applyUpdate(doc, start);
  const before = Y.encodeStateVector(doc);
  doc.transact(() => patchElement(blockIn(doc), node));
  return Y.encodeStateAsUpdate(doc, before);
}
