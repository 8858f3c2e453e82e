import { nodeTypes } from "@svc/document/schema/nodes";
import type { NewId, Node } from "@svc/document/types";
import * as Y from "yjs";
import { encodeElement, orderOf, readAttrs, readFormer, typeOf } from "./element.ts";
import { nodesOf } from "./inline.ts";
import type { LiveState } from "./live-state.ts";
import { rememberMoved, removeCopies } from "./moved-words.ts";
import { isOrderKey, keyBetween } from "./order-key.ts";
import { isDeletedByOthers, rememberDeletions } from "./others-deletions.ts";
import { deletionsIn, deletionsSince, encodeOwn } from "./own-update.ts";
import {
  type Change,
  isNew,
  isUnseen,
  type OldLine,
  readOldLine,
  readRemovedEnd,
  runsOfUnits,
  textOfUnits,
  unitsBefore,
  unitsIn,
  unseenIn,
  wasThere,
} from "./removed-text.ts";
import { commonAround } from "./text-position.ts";
import { hasAll, transplant, type Unit } from "./transplant.ts";
import { clearPositions, itemOf, markAsOwn } from "./yjs-internals.ts";

interface RescueOptions {
  readonly origin: unknown;
  readonly newId: NewId;
  /**
   * Set if the update is part of the stored state instead of a single change: the state includes this tab's words up to
   * this clock.
   */
  readonly stored?: number | undefined;
  /** The clock up to which the update's author has certainly seen this tab's words. */
  readonly seen?: number;
  /** Whether rescued words may get a line of their own; false in spreadsheets. */
  readonly makesLines: boolean;
  /** The clients whose words are rescued here; left out, this tab alone. */
  readonly isOwn?: (client: number) => boolean;
}

/**
 * Applies a change by another client. If it removes a line with words of this tab that its author had not seen, the
 * words follow the line to where it was wrapped, moved or joined, or else get a line of their own at its old position.
 * Returns the update with the rescued words, if any.
 */
export function applyWithRescue(live: LiveState, update: Uint8Array, options: RescueOptions): Uint8Array | undefined {
  const { doc } = live;
  const client = doc.clientID;
  const clock = Y.getState(doc.store, client);
  const isOwn = options.isOwn ?? ((one: number) => one === client && clock > 0);
  let deleted = Y.createDeleteSet();
  doc.transact((transaction) => {
    Y.applyUpdate(doc, update, options.origin);
    const before = deletionsIn(transaction);
    const gone = Y.mergeDeleteSets([transaction.deleteSet]);
    for (const type of transaction.changed.keys()) clearPositions(type);
    const isBack = options.stored === undefined ? removeCopies(transaction, update) : () => false;
    const owners = before.size === 0 ? [] : [...doc.store.clients.keys()].filter(isOwn);
    if (owners.length > 0) {
      const isGone = owners.some((one) => gone.clients.has(one));
      const removed = isGone ? Y.decodeUpdate(update).ds : Y.createDeleteSet();
      const isNotOurs = (id: Y.ID) => isBack(id) || isDeletedByOthers(doc, id);
      const change = { transaction, gone, removed, isOwn, isNotOurs, stored: options.stored, seen: options.seen };
      new TextRescuer(live, change, options).rescue(isGone);
    }
    deleted = deletionsSince(transaction, before);
    rememberDeletions(doc, gone);
    if (Y.getState(doc.store, client) > clock) markAsOwn(transaction);
  }, options.origin);
  return encodeOwn(doc, clock, deleted);
}

/** An existing line. */
interface Line {
  /** The block's id at the top level; nested blocks have theirs as an attribute. */
  readonly topId: string | undefined;
  readonly id: unknown;
  readonly element: Y.XmlElement;
  readonly text: Y.XmlText;
}

class TextRescuer {
  readonly #live: LiveState;
  readonly #change: Change;
  readonly #options: RescueOptions;
  #lines: readonly Line[] | undefined;
  /** By the removed block: the order key after which the next rescued line goes. */
  readonly #keys = new Map<Y.Item, string>();

  constructor(live: LiveState, change: Change, options: RescueOptions) {
    this.#live = live;
    this.#change = change;
    this.#options = options;
  }

  rescue(isGone: boolean): void {
    if (isGone) this.#rescueFromRemoved();
    this.#rescueFromSplits();
  }

  /** Moves words of this tab along when others split off the end of the line that holds them. */
  #rescueFromSplits(): void {
    for (const text of [...this.#change.transaction.changed.keys()] as readonly unknown[]) {
      if (!(text instanceof Y.XmlText) || itemOf(text)?.deleted) continue;
      const end = readRemovedEnd(text, this.#change);
      const target = end && this.#lineWithTextOf(end);
      if (!target || target.text === text) continue;
      this.#mergeInto(target, end, ({ isNew }) => isNew);
      for (const { index, length } of end.left.toReversed()) text.delete(index, length);
    }
  }

  #rescueFromRemoved(): void {
    const change = this.#change;
    const texts = new Set<Y.XmlText>();
    const leaves = new Set<Y.XmlElement>();
    Y.iterateDeletedStructs(change.transaction, change.gone, (item) => {
      if (!(item instanceof Y.Item) || !change.isOwn(item.id.client)) return;
      const { content, parent } = item;
      const isText = content instanceof Y.ContentString || content instanceof Y.ContentEmbed;
      if (isText && parent instanceof Y.XmlText && isUnseenPart(change, item)) texts.add(parent);
      if (content instanceof Y.ContentType && content.type instanceof Y.XmlElement && isUnseen(change, item))
        if (nodeTypes[this.#former(content.type).type]?.children === "none") leaves.add(content.type);
    });
    for (const text of texts) this.#rescueLine(text);
    if (this.#options.makesLines) for (const leaf of leaves) this.#insertNear(leaf, this.#former(leaf));
  }

  #former(element: Y.XmlElement) {
    return readFormer(element, (item) => wasThere(this.#change, item));
  }

  #rescueLine(text: Y.XmlText): void {
    const element = text.parent;
    if (!(element instanceof Y.XmlElement)) return;
    const old = readOldLine(text, this.#change);
    const { type, attrs } = this.#former(element);
    const id = element.parent === this.#live.map ? itemOf(element)?.parentSub : attrs.id;
    const same = this.#lineWith(id);
    const joined = same ? undefined : this.#lineWithTextOf(old);
    const isCode = nodeTypes[type]?.children === "text";
    const content = nodesOf(runsOfUnits(unseenIn(old).flatMap(({ now }) => now ?? [])));
    if (same) this.#mergeInto(same, old, () => true);
    else if (joined) this.#mergeInto(joined, old, ({ isNew }) => isNew);
    else if (this.#options.makesLines)
      this.#move(old, () =>
        this.#insertNear(element, isCode ? { type, attrs, content } : { type: "paragraph", content }),
      );
  }

  get #allLines(): readonly Line[] {
    if (this.#lines) return this.#lines;
    const lines: Line[] = [];
    const walk = (element: Y.XmlElement, topId?: string) => {
      for (const child of element.toArray())
        if (child instanceof Y.XmlElement) walk(child);
        else if (child instanceof Y.XmlText)
          lines.push({ topId, id: topId ?? readAttrs(element).id, element, text: child });
    };
    for (const [id, element] of this.#live.map) if (element instanceof Y.XmlElement) walk(element, id);
    this.#lines = lines;
    return lines;
  }

  #lineWith(id: unknown): Line | undefined {
    return typeof id === "string" ? this.#allLines.find((line) => line.id === id) : undefined;
  }

  /** The line to which the change moved the text around this tab's words. */
  #lineWithTextOf(old: OldLine): Line | undefined {
    const { offset } = old;
    const text = textOfUnits(unitsBefore(old));
    let best: { line: Line; length: number } | undefined;
    const changed: ReadonlyMap<unknown, unknown> = this.#change.transaction.changed;
    for (const line of this.#allLines) {
      const item = itemOf(line.text);
      if (!changed.has(line.text) && !(item && isNew(this.#change, item))) continue;
      const added = unitsIn(line.text, this.#change).filter((unit) => unit.isNew);
      const common = commonAround(textOfUnits(added), text, offset);
      if (!common || common.length < Math.min(20, text.length / 2)) continue;
      const isBeside = common.inText <= offset && offset <= common.inText + common.length;
      if (isBeside && common.length > (best?.length ?? 0)) best = { line, length: common.length };
    }
    return best?.line;
  }

  /** Merges this tab's words into the part of the line that came from their old line. */
  #mergeInto({ text }: Line, old: OldLine, isPart: (unit: Unit) => boolean): void {
    const units = unitsIn(text, this.#change);
    const [from, to] = [units.findIndex(isPart), units.findLastIndex(isPart) + 1];
    const start = Math.max(0, from);
    const part = units.slice(start, to);
    if (hasAll(old.pieces, part)) return;
    const delta = transplant(old.pieces, part);
    this.#move(old, () => text.applyDelta(start > 0 ? [{ retain: start }, ...delta] : delta));
  }

  /** Remembers where the words of a line go. */
  #move(old: OldLine, write: () => void): void {
    const { doc } = this.#live;
    const clock = Y.getState(doc.store, doc.clientID);
    write();
    rememberMoved(
      doc,
      unseenIn(old).map(({ id }) => id),
      clock,
    );
  }

  /** Inserts a block where another one was: in the nearest parent that still exists and may hold it. */
  #insertNear(element: Y.XmlElement, { type, attrs, content }: Node): void {
    const block: Node = { type, attrs: { ...attrs, id: this.#options.newId() }, ...(content && { content }) };
    for (let item = itemOf(element); item; ) {
      const above: unknown = item.parent;
      if (above === this.#live.map) this.#insertAtTop(item, block);
      if (!(above instanceof Y.XmlElement)) return;
      const fitting = itemOf(above)?.deleted ? undefined : this.#inside(typeOf(above), block);
      if (fitting) {
        above.insert(indexBehind(item), [encodeElement(fitting)]);
        return;
      }
      item = itemOf(above);
    }
  }

  #inside(type: string, block: Node): Node | undefined {
    const children = nodeTypes[type]?.children;
    if (children === "blocks") return block;
    const item = ["listItem", "taskItem"].find((name) => children?.includes(name));
    return item === undefined ? undefined : { type: item, attrs: { id: this.#options.newId() }, content: [block] };
  }

  #insertAtTop(item: Y.Item, block: Node): void {
    if (!(item.content instanceof Y.ContentType) || !(item.content.type instanceof Y.XmlElement)) return;
    const { order } = this.#former(item.content.type);
    const keys = [...this.#live.map.values()].map(orderOf).filter(isOrderKey);
    const left = this.#keys.get(item) ?? (isOrderKey(order) ? order : keys.toSorted().at(-1));
    const next = keys.filter((key) => left === undefined || key > left).toSorted()[0];
    const key = keyBetween(left, next, "left");
    this.#keys.set(item, key);
    this.#live.insert(block, key);
  }
}

const isUnseenPart = (change: Change, item: Y.Item): boolean =>
  Array.from({ length: item.length }, (_, at) => at).some((at) => isUnseen(change, item, at));

/** The index after a child, even if the child is deleted. */
function indexBehind(child: Y.Item): number {
  let index = 0;
  for (let item: Y.Item | null = child; item; item = item.left)
    if (!item.deleted && item.countable) index += item.length;
  return index;
}
