import { nodeTypes } from "@svc/document/schema/nodes";
import type { NewId, Node } from "@svc/document/types";
import * as Y from "yjs";
import { encodeElement, orderOf, readAttrs, readFormer, typeOf } from "./element.ts";
import { nodesOf } from "./inline.ts";
import type { LiveState } from "./live-state.ts";
import { mergeBlock } from "./merge-block.ts";
import {
  type Change,
  isNew,
  isUnseen,
  type OldLine,
  readOldLine,
  readRemovedEnd,
  runsOfUnits,
  textOfUnits,
  type Unit,
  unitsIn,
  wasThere,
} from "./old-text.ts";
import { isOrderKey, keyBetween } from "./order-key.ts";
import { patchElement } from "./patch.ts";
import { commonAround } from "./text-place.ts";

interface KeepOptions {
  readonly origin: unknown;
  readonly newId: NewId;
  /** The update is not what somebody did but a part of the stored state, which has this tab's words up to that clock. */
  readonly stored?: number | undefined;
  /** Words may get a line of their own: not in spreadsheets. */
  readonly makesLines: boolean;
}

/**
 * Applies what somebody else did. Where they removed a line without having seen what was written here in it, these words
 * go where the line went (it was wrapped, moved, joined), else into a line of their own at its place. Answers the update
 * that says so, if any.
 */
export function applyKeeping(live: LiveState, update: Uint8Array, options: KeepOptions): Uint8Array | undefined {
  const { doc } = live;
  const client = doc.clientID;
  const clock = Y.getState(doc.store, client);
  let made: Uint8Array | undefined;
  const hear = (bytes: Uint8Array) => {
    made = bytes;
  };
  doc.on("update", hear);
  doc.transact((transaction) => {
    Y.applyUpdate(doc, update, options.origin);
    if (transaction.deleteSet.clients.size === 0 || clock === 0) return;
    const gone = Y.mergeDeleteSets([transaction.deleteSet]);
    // What Yjs remembers of places in texts that others changed it forgets only at the end.
    for (const { _searchMarker: markers } of transaction.changed.keys()) if (markers) markers.length = 0;
    const removed = gone.clients.has(client) ? Y.decodeUpdate(update).ds : Y.createDeleteSet();
    new Keeper(live, { transaction, gone, removed, client, stored: options.stored }, options).keep();
    // Else Yjs takes the words of this tab for those of another one with its client id.
    if (Y.getState(doc.store, client) > clock) transaction.local = true;
  }, options.origin);
  doc.off("update", hear);
  if (!made || Y.getState(doc.store, client) === clock) return undefined;
  const others = Y.decodeStateVector(Y.encodeStateVector(doc)).set(client, clock);
  return Y.diffUpdate(made, Y.encodeStateVector(others));
}

/** A line that is there. */
interface Line {
  /** Undefined where the element has it as an attribute: all but top-level blocks. */
  readonly topId: string | undefined;
  readonly id: unknown;
  readonly element: Y.XmlElement;
  readonly text: Y.XmlText;
}

class Keeper {
  readonly #live: LiveState;
  readonly #change: Change;
  readonly #options: KeepOptions;
  #lines: readonly Line[] | undefined;
  /** The order key behind which the next line goes, by the block at whose place it is. */
  readonly #keys = new Map<Y.Item, string>();

  constructor(live: LiveState, change: Change, options: KeepOptions) {
    this.#live = live;
    this.#change = change;
    this.#options = options;
  }

  keep(): void {
    if (this.#change.gone.clients.has(this.#change.client)) this.#keepInRemoved();
    this.#keepInSplits();
  }

  /** What was written here in the end of a line goes along when others split it off. */
  #keepInSplits(): void {
    for (const text of [...this.#change.transaction.changed.keys()] as readonly unknown[]) {
      if (!(text instanceof Y.XmlText) || text._item?.deleted) continue;
      const end = readRemovedEnd(text, this.#change);
      const target = end && this.#lineWithTextOf(end);
      if (!target || target.text === text) continue;
      this.#bringInto(target, end, ({ isNew }) => isNew);
      for (const { index, length } of end.left.toReversed()) text.delete(index, length);
    }
  }

  #keepInRemoved(): void {
    const change = this.#change;
    const texts = new Set<Y.XmlText>();
    const leaves = new Set<Y.XmlElement>();
    Y.iterateDeletedStructs(change.transaction, change.gone, (item) => {
      if (!(item instanceof Y.Item) || item.id.client !== change.client) return;
      const { content, parent } = item;
      const isText = content instanceof Y.ContentString || content instanceof Y.ContentEmbed;
      if (isText && parent instanceof Y.XmlText && isUnseenPart(change, item)) texts.add(parent);
      if (content instanceof Y.ContentType && content.type instanceof Y.XmlElement && isUnseen(change, item))
        if (nodeTypes[this.#former(content.type).type]?.children === "none") leaves.add(content.type);
    });
    for (const text of texts) this.#keepLine(text);
    if (this.#options.makesLines) for (const leaf of leaves) this.#putNear(leaf, this.#former(leaf));
  }

  #former(element: Y.XmlElement) {
    return readFormer(element, (item) => wasThere(this.#change, item));
  }

  #keepLine(text: Y.XmlText): void {
    const element = text.parent;
    if (!(element instanceof Y.XmlElement)) return;
    const old = readOldLine(text, this.#change);
    const { type, attrs } = this.#former(element);
    const id = element.parent === this.#live.map ? element._item?.parentSub : attrs.id;
    const same = this.#lineWith(id);
    const joined = same ? undefined : this.#lineWithTextOf(old);
    const isCode = nodeTypes[type]?.children === "text";
    const content = nodesOf(runsOfUnits(old.own));
    if (same) this.#bringInto(same, old, () => true);
    else if (joined) this.#bringInto(joined, old, ({ isNew }) => isNew);
    else if (this.#options.makesLines)
      this.#putNear(element, isCode ? { type, attrs, content } : { type: "paragraph", content });
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

  /** The line into which the change put what stood around one's own words. */
  #lineWithTextOf({ seen, place }: OldLine): Line | undefined {
    const text = textOfUnits(seen);
    let best: { line: Line; length: number } | undefined;
    const changed: ReadonlyMap<unknown, unknown> = this.#change.transaction.changed;
    for (const line of this.#allLines) {
      const { _item: item } = line.text;
      if (!changed.has(line.text) && !(item && isNew(this.#change, item))) continue;
      const added = unitsIn(line.text, this.#change).filter((unit) => unit.isNew);
      const common = commonAround(textOfUnits(added), text, place);
      if (!common || common.length < Math.min(20, text.length / 2)) continue;
      const isBeside = common.inText <= place && place <= common.inText + common.length;
      if (isBeside && common.length > (best?.length ?? 0)) best = { line, length: common.length };
    }
    return best?.line;
  }

  /** Merges what was written here into the part of a line that came from where it was written. */
  #bringInto({ element, text, topId }: Line, { seen, mine }: OldLine, isPart: (unit: Unit) => boolean): void {
    const units = unitsIn(text, this.#change);
    const [from, to] = [units.findIndex(isPart), units.findLastIndex(isPart) + 1];
    const start = Math.max(0, from);
    const merged = mergeBlock(lineOf(seen), lineOf(units.slice(start, to)), lineOf(mine));
    const content = [
      ...nodesOf(runsOfUnits(units.slice(0, start))),
      ...(merged.content ?? []),
      ...nodesOf(runsOfUnits(units.slice(Math.max(start, to)))),
    ];
    patchElement(element, { type: typeOf(element), attrs: readAttrs(element), content }, topId === undefined);
  }

  /** Puts a block where another one was: in what of the blocks around it is still there and may hold it. */
  #putNear(element: Y.XmlElement, { type, attrs, content }: Node): void {
    const block: Node = { type, attrs: { ...attrs, id: this.#options.newId() }, ...(content && { content }) };
    for (let item = element._item; item; ) {
      const above: unknown = item.parent;
      if (above === this.#live.map) this.#putAtTop(item, block);
      if (!(above instanceof Y.XmlElement)) return;
      const fitting = above._item?.deleted ? undefined : this.#inside(typeOf(above), block);
      if (fitting) {
        above.insert(indexBehind(item), [encodeElement(fitting)]);
        return;
      }
      item = above._item;
    }
  }

  #inside(type: string, block: Node): Node | undefined {
    const children = nodeTypes[type]?.children;
    if (children === "blocks") return block;
    const item = ["listItem", "taskItem"].find((name) => children?.includes(name));
    return item === undefined ? undefined : { type: item, attrs: { id: this.#options.newId() }, content: [block] };
  }

  #putAtTop(item: Y.Item, block: Node): void {
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

const lineOf = (units: readonly Unit[]): Node => ({ type: "paragraph", content: nodesOf(runsOfUnits(units)) });

/** The index behind a child, whether it is there or gone. */
function indexBehind(child: Y.Item): number {
  let index = 0;
  for (let item: Y.Item | null = child; item; item = item.left)
    if (!item.deleted && item.countable) index += item.length;
  return index;
}
