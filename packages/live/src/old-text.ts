import * as Y from "yjs";
import type { Formats, Run } from "./inline.ts";

/** A change that somebody else made, while it is applied: what is removed can still be read. */
export interface Change {
  readonly transaction: Y.Transaction;
  /** All that went with it; in the transaction that is in no order, and cannot be searched. */
  readonly gone: Seen;
  /** What its maker removed, and so had seen. */
  readonly removed: Seen;
  /** The client whose tab this is. */
  readonly client: number;
  /** Where it is the stored state, which removes also what was gone long ago: up to which clock that has this client's words. */
  readonly stored: number | undefined;
}

type Seen = ReturnType<typeof Y.decodeUpdate>["ds"];

/** A character or an inline node of a line. */
export interface Unit {
  readonly insert: string | object;
  readonly attributes: Formats;
  /** It came with the change. */
  readonly isNew: boolean;
}

/** A line that was removed. */
export interface OldLine {
  /** As whoever removed it saw it. */
  readonly seen: readonly Unit[];
  /** The same with what was written here meanwhile. */
  readonly mine: readonly Unit[];
  /** What was written here alone, and how much of what they saw stands before it. */
  readonly own: readonly Unit[];
  readonly place: number;
}

export const isNew = ({ transaction }: Change, { id }: Y.Item): boolean =>
  id.clock >= (transaction.beforeState.get(id.client) ?? 0);

export const wasThere = ({ gone }: Change, item: Y.Item): boolean => !item.deleted || Y.isDeleted(gone, item.id);

/** Written here, and gone with something that others removed before they had seen it. */
export const isUnseen = (change: Change, item: Y.Item, at = 0): boolean =>
  item.id.client === change.client && wasThere(change, item) && !hasSeen(change, item, at);

const hasSeen = ({ removed, client, stored = 0 }: Change, { id }: Y.Item, at = 0): boolean =>
  Y.isDeleted(removed, Y.createID(id.client, id.clock + at)) || (id.client === client && id.clock + at < stored);

/** The units of a line as it is now. */
export function unitsIn(text: Y.XmlText, change: Change): Unit[] {
  const line = new Units();
  for (let item = text._start; item; item = item.right) if (!item.deleted) line.add(item.content, isNew(change, item));
  return line.units;
}

export function readOldLine(text: Y.XmlText, change: Change): OldLine {
  const [seen, mine, own] = [new Units(), new Units(), new Units()];
  let place: number | undefined;
  for (let item = text._start; item; item = item.right) {
    if (isNew(change, item)) continue;
    const isThere = wasThere(change, item);
    for (const [at, content] of piecesOf(item.content).entries()) {
      const isSeen = hasSeen(change, item, at);
      const isOwn = isThere && !isSeen && item.id.client === change.client;
      if (isSeen && (isThere || change.stored === undefined)) seen.add(content);
      if (isOwn || (isSeen && isThere)) mine.add(content);
      if (isOwn || content instanceof Y.ContentFormat) own.add(content);
      if (isOwn) place ??= seen.units.length;
    }
  }
  return { seen: seen.units, mine: mine.units, own: own.units, place: place ?? 0 };
}

/** The end of a line, as it was before others took it away. */
interface OldEnd extends OldLine {
  /** Where words of this tab stand that stayed behind. */
  readonly left: readonly { readonly index: number; readonly length: number }[];
}

/** Only where words of this tab stand in what was taken away, and nothing else does. */
export function readRemovedEnd(text: Y.XmlText, change: Change): OldEnd | undefined {
  if (!hasWordsInRemoved(text, change)) return undefined;
  const [seen, mine, own] = [new Units(), new Units(), new Units()];
  const left: { index: number; length: number }[] = [];
  let [index, place, isEnd] = [0, 0, false];
  for (let item = text._start; item; item = item.right) {
    const { content, deleted, length } = item;
    const isFormat = content instanceof Y.ContentFormat;
    const isOld = !isNew(change, item) && wasThere(change, item);
    isEnd ||= isOld && deleted && !isFormat;
    const isOwn = isEnd && isOwnWord(item, change);
    if (isOld && isEnd && !deleted && !isOwn && !isFormat) return undefined;
    if (isOwn && left.length === 0) place = seen.units.length;
    if (isOwn) left.push({ index, length });
    if (isOld && ((isEnd && deleted) || isFormat)) seen.add(content);
    if (isOld && (isEnd || isFormat)) mine.add(content);
    if (isOwn || (isOld && isFormat)) own.add(content);
    if (!deleted && item.countable) index += length;
  }
  return { seen: seen.units, mine: mine.units, own: own.units, place, left };
}

function hasWordsInRemoved(text: Y.XmlText, change: Change): boolean {
  let isBehind = false;
  for (let item = text._start; item; item = item.right) {
    if (isBehind && isOwnWord(item, change)) return true;
    isBehind ||= item.deleted && item.countable && wasThere(change, item);
  }
  return false;
}

const isOwnWord = (item: Y.Item, change: Change): boolean =>
  !item.deleted && item.countable && item.id.client === change.client && !isNew(change, item);

type Content = Y.Item["content"];

/** Content that is one text is as long as it has letters. */
const piecesOf = (content: Content): Content[] =>
  content instanceof Y.ContentString ? content.str.split("").map((letter) => new Y.ContentString(letter)) : [content];

/** A line while it is read: formats hold from where they begin until they end. */
class Units {
  readonly units: Unit[] = [];
  #formats: Formats = {};

  add(content: Content, isNew = false): void {
    const attributes = this.#formats;
    if (content instanceof Y.ContentFormat) this.#formats = withFormat(attributes, content.key, content.value);
    if (content instanceof Y.ContentEmbed) this.units.push({ insert: content.embed, attributes, isNew });
    if (content instanceof Y.ContentString)
      for (const insert of content.str.split("")) this.units.push({ insert, attributes, isNew });
  }
}

function withFormat(formats: Formats, name: string, value: unknown): Formats {
  const { [name]: _before, ...others } = formats;
  return typeof value === "string" ? { ...others, [name]: value } : others;
}

/** Units as runs: halves of a character stand together in one. */
export function runsOfUnits(units: readonly Unit[]): Run[] {
  const runs: { insert: string | object; attributes: Formats }[] = [];
  for (const { insert, attributes } of units) {
    const last = runs.at(-1);
    if (typeof insert === "string" && typeof last?.insert === "string" && last.attributes === attributes)
      last.insert += insert;
    else runs.push({ insert, attributes });
  }
  return runs;
}

/** One character for what is no text. */
export const textOfUnits = (units: readonly Unit[]): string =>
  units.map(({ insert }) => (typeof insert === "string" ? insert : "\ufffc")).join("");
