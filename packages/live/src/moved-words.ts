import * as Y from "yjs";
import { clearPositions } from "./yjs-internals.ts";

/** Older moves are forgotten: only changes that were on their way at the time can still remove the originals. */
const MAX_LETTERS = 20_000;

const nameOf = (client: number, clock: number): string => `${client}:${clock}`;

/** The letters that this client has moved, by their first place. */
const movesOf = new WeakMap<Y.Doc, Map<string, Y.ID>>();

/** Remembers where letters went: the same letters in the same order, made since a clock. */
export function rememberMoved(doc: Y.Doc, letters: readonly Y.ID[], since: number): void {
  const copies = lettersSince(doc, since);
  if (copies.length !== letters.length) return;
  const moves = movesOf.get(doc) ?? new Map<string, Y.ID>();
  movesOf.set(doc, moves);
  letters.forEach(({ client, clock }, i) => {
    const copy = copies[i];
    if (copy) moves.set(nameOf(client, clock), copy);
  });
  for (const name of moves.keys()) {
    if (moves.size <= MAX_LETTERS) return;
    moves.delete(name);
  }
}

/** The letters and inline nodes that this client has inserted since a clock. */
function lettersSince(doc: Y.Doc, since: number): Y.ID[] {
  const letters: Y.ID[] = [];
  for (const struct of doc.store.clients.get(doc.clientID) ?? []) {
    if (!(struct instanceof Y.Item) || struct.id.clock + struct.length <= since) continue;
    const { content, parent, id, length } = struct;
    const isText = content instanceof Y.ContentString || content instanceof Y.ContentEmbed;
    if (!isText || !(parent instanceof Y.XmlText)) continue;
    for (let at = Math.max(0, since - id.clock); at < length; at++) letters.push(Y.createID(id.client, id.clock + at));
  }
  return letters;
}

/**
 * Removes the copies of moved letters whose originals a change removed: its author had not seen the move, and has put
 * the letters somewhere else or deleted them. Returns whether a letter was one of them.
 */
export function removeCopies(transaction: Y.Transaction, update: Uint8Array): (id: Y.ID) => boolean {
  const moves = movesOf.get(transaction.doc);
  const taken = new Set<string>();
  if (!moves || moves.size === 0) return () => false;
  for (const [client, ranges] of Y.decodeUpdate(update).ds.clients)
    for (const { clock, len } of ranges)
      for (const name of namesIn(moves, client, clock, len)) if (removeCopy(transaction, moves, name)) taken.add(name);
  return ({ client, clock }) => taken.has(nameOf(client, clock));
}

/** Looks at each letter of a short range, and at each known one for a long range. */
function namesIn(moves: ReadonlyMap<string, Y.ID>, client: number, clock: number, length: number): string[] {
  if (length <= moves.size) return Array.from({ length }, (_, i) => nameOf(client, clock + i));
  return [...moves.keys()].filter((name) => {
    const [by, at = 0] = name.split(":").map(Number);
    return by === client && at >= clock && at < clock + length;
  });
}

function removeCopy(transaction: Y.Transaction, moves: Map<string, Y.ID>, name: string): boolean {
  const copy = moves.get(name);
  if (!copy) return false;
  moves.delete(name);
  removeCopy(transaction, moves, nameOf(copy.client, copy.clock));
  const item = Y.getItem(transaction.doc.store, copy);
  if (item instanceof Y.Item && !item.deleted && item.parent instanceof Y.XmlText) {
    clearPositions(item.parent);
    const letter = Y.getItemCleanStart(transaction, copy);
    Y.getItemCleanEnd(transaction, transaction.doc.store, copy);
    letter.delete(transaction);
  }
  return true;
}
