import * as Y from "yjs";
import type { Formats, Run } from "./inline.ts";
import type { Piece, Unit } from "./transplant.ts";
import { itemsIn } from "./yjs-internals.ts";

/** A change by another client while it is applied: removed text can still be read. */
export interface Change {
  readonly transaction: Y.Transaction;
  /** Everything that the change removed. The transaction's own set is unsorted and cannot be searched. */
  readonly gone: Seen;
  /** The parts that the author removed, and therefore had seen. */
  readonly removed: Seen;
  /** Whether this tab rescues the words of a client: its own; on the server, those that folds wrote for programs. */
  readonly isOwn: (client: number) => boolean;
  /** Whether a letter was gone before for another reason than that this client deleted it. */
  readonly isNotOurs: (id: Y.ID) => boolean;
  /** For the stored state, whose removals include old ones: the clock up to which it has this client's words. */
  readonly stored: number | undefined;
  /** The clock up to which the change's author has certainly seen this client's words. */
  readonly seen: number | undefined;
}

type Seen = ReturnType<typeof Y.decodeUpdate>["ds"];

/** A removed line. */
export interface OldLine {
  readonly pieces: readonly Piece[];
  /** The offset of the first word written here in the line as its remover saw it. */
  readonly offset: number;
}

/** The units of a removed line as its remover saw it. */
export const unitsBefore = ({ pieces }: OldLine): Unit[] => pieces.flatMap(({ before }) => before ?? []);

/** The units written here that the remover had not seen. */
export const unseenIn = ({ pieces }: OldLine): Piece[] => pieces.filter(({ before, now }) => !before && now);

export const isNew = ({ transaction }: Change, { id }: Y.Item): boolean =>
  id.clock >= (transaction.beforeState.get(id.client) ?? 0);

export const wasThere = ({ gone }: Change, item: Y.Item): boolean => !item.deleted || Y.isDeleted(gone, item.id);

/** Whether others removed something written here before they had base it. */
export const isUnseen = (change: Change, item: Y.Item, at = 0): boolean =>
  change.isOwn(item.id.client) && wasThere(change, item) && !hasSeen(change, item, at);

const hasSeen = ({ removed, isOwn, stored = 0 }: Change, { id }: Y.Item, at = 0): boolean =>
  Y.isDeleted(removed, Y.createID(id.client, id.clock + at)) || (isOwn(id.client) && id.clock + at < stored);

/** The units of a line in its current state. */
export function unitsIn(text: Y.XmlText, change: Change): Unit[] {
  const line = new Units();
  for (const item of itemsIn(text)) if (!item.deleted) line.add(item.content, isNew(change, item));
  return line.units;
}

export function readOldLine(text: Y.XmlText, change: Change): OldLine {
  const line = new OldUnits();
  for (const item of itemsIn(text)) {
    if (isNew(change, item)) continue;
    for (const [at, content] of piecesOf(item.content).entries()) {
      const id = Y.createID(item.id.client, item.id.clock + at);
      const isThere = wasThere(change, item) || change.isNotOurs(id);
      const isSeen = hasSeen(change, item, at);
      const isOwn = isThere && !isSeen && change.isOwn(item.id.client);
      line.add(id, content, isSeen && (isThere || change.stored === undefined), isOwn || (isSeen && isThere));
    }
  }
  return line;
}

/** The end of a line before others removed it. */
interface OldEnd extends OldLine {
  /** The words of this tab that stayed behind. */
  readonly left: readonly { readonly index: number; readonly length: number }[];
}

/** Reads the removed end of a line if only words of this tab remain in it. */
export function readRemovedEnd(text: Y.XmlText, change: Change): OldEnd | undefined {
  if (!hasWordsInRemoved(text, change)) return undefined;
  const end = new OldUnits();
  const left: { index: number; length: number }[] = [];
  let [index, isEnd] = [0, false];
  for (const item of itemsIn(text)) {
    const { content, deleted, length } = item;
    const isFormat = content instanceof Y.ContentFormat;
    const isOld = !isNew(change, item) && wasThere(change, item);
    isEnd ||= isOld && deleted && !isFormat;
    const isOwn = isEnd && isOwnWord(item, change);
    if (isOld && isEnd && !deleted && !isOwn && !isFormat) return undefined;
    if (isOwn) left.push({ index, length });
    const isBefore = isOld && ((isEnd && deleted) || isFormat);
    const isNow = isOld && (isEnd || isFormat);
    for (const [at, piece] of piecesOf(content).entries())
      end.add(Y.createID(item.id.client, item.id.clock + at), piece, isBefore, isNow);
    if (!deleted && item.countable) index += length;
  }
  return { pieces: end.pieces, offset: end.offset, left };
}

function hasWordsInRemoved(text: Y.XmlText, change: Change): boolean {
  let isBehind = false;
  for (const item of itemsIn(text)) {
    if (isBehind && isOwnWord(item, change)) return true;
    isBehind ||= item.deleted && item.countable && wasThere(change, item);
  }
  return false;
}

/** Whether this is a remaining word of this tab that the change's author may not have seen. */
const isOwnWord = (item: Y.Item, change: Change): boolean =>
  !item.deleted &&
  item.countable &&
  change.isOwn(item.id.client) &&
  !isNew(change, item) &&
  item.id.clock + item.length > (change.seen ?? 0);

type Content = Y.Item["content"];

/** A text as one piece a letter. */
const piecesOf = (content: Content): Content[] =>
  content instanceof Y.ContentString ? content.str.split("").map((letter) => new Y.ContentString(letter)) : [content];

/** Collects the units of a line; a format applies from its start until its end. */
class Units {
  readonly units: Unit[] = [];
  #formats: Formats = {};

  /** Returns the last unit that the content makes. */
  add(content: Content, isNew = false): Unit | undefined {
    const attributes = this.#formats;
    if (content instanceof Y.ContentFormat) this.#formats = withFormat(attributes, content.key, content.value);
    const inserts =
      content instanceof Y.ContentEmbed
        ? [content.embed]
        : content instanceof Y.ContentString
          ? content.str.split("")
          : [];
    for (const insert of inserts) this.units.push({ insert, attributes, isNew });
    return inserts.length > 0 ? this.units.at(-1) : undefined;
  }
}

/** Collects the pieces of a removed line. */
class OldUnits implements OldLine {
  readonly pieces: Piece[] = [];
  readonly #before = new Units();
  readonly #now = new Units();
  #offset: number | undefined;

  get offset(): number {
    return this.#offset ?? 0;
  }

  add(id: Y.ID, content: Content, isBefore: boolean, isNow: boolean): void {
    const before = isBefore ? this.#before.add(content) : undefined;
    const now = isNow ? this.#now.add(content) : undefined;
    if (now && !before) this.#offset ??= this.#before.units.length;
    if (before || now) this.pieces.push({ id, before, now });
  }
}

function withFormat(formats: Formats, name: string, value: unknown): Formats {
  const { [name]: _before, ...others } = formats;
  return typeof value === "string" ? { ...others, [name]: value } : others;
}

/** Units as runs, with the halves of a surrogate pair in one run. */
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

/** The text, with one placeholder character for each inline node. */
export const textOfUnits = (units: readonly Unit[]): string =>
  units.map(({ insert }) => (typeof insert === "string" ? insert : "\ufffc")).join("");
