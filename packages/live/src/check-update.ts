import * as Y from "yjs";
import { MAX_UPDATE_BYTES } from "./frames.ts";
import { BLOCKS } from "./live-state.ts";

/** An update that our editors never produce. */
export class BadUpdate extends Error {}

/** How far each client's structs are known. */
type Clocks = ReadonlyMap<number, number>;

interface CheckedUpdate {
  /** The client's clock after the update's last struct. */
  readonly end: number;
  /** True if the update only adds structs: once the client's clock has reached `end`, the document has all of it. */
  readonly onlyAdds: boolean;
}

/** Max structs and deletions in one update, in clock units. Typing and pasting stay far below it. */
const MAX_CLOCKS = 1_000_000;
const MAX_KEY_LENGTH = 256;
/** Max nesting levels in one update: Yjs deletes nested types recursively. */
const MAX_NESTING = 100;

const allowed: readonly (abstract new (...args: never[]) => unknown)[] = [
  Y.ContentString,
  Y.ContentFormat,
  Y.ContentType,
  Y.ContentAny,
  Y.ContentEmbed,
  Y.ContentDeleted,
];

/**
 * Checks an update before it is applied or sent on. It must hold only the client's own structs, continue the known
 * clock without a gap, use only the kinds of content of our encoding, and refer only to known structs. A checked update
 * can always be applied, cannot forge an author, and never waits for another update. `known` is the client's next
 * clock.
 */
export function checkUpdate(update: Uint8Array, client: number, known: number, clocks: Clocks): CheckedUpdate {
  if (update.length > MAX_UPDATE_BYTES) throw new BadUpdate("too long");
  const { structs, ds } = decode(update);
  let next: number | undefined;
  const depths = new Map<number, number>();
  for (const struct of structs) {
    if (!(struct instanceof Y.Item)) throw new BadUpdate("a struct that is no item");
    if (struct.id.client !== client) throw new BadUpdate("another client's struct");
    if (next === undefined ? struct.id.clock > known : struct.id.clock !== next) throw new BadUpdate("a gap");
    checkItem(struct, (id) => id.clock < (id.client === client ? struct.id.clock : (clocks.get(id.client) ?? 0)));
    checkNesting(struct, client, depths);
    next = struct.id.clock + struct.length;
    if (next - known > MAX_CLOCKS) throw new BadUpdate("too much at once");
  }
  const last = next ?? 0;
  const end = Math.max(known, last);
  for (const [of, ranges] of ds.clients)
    for (const { clock, len } of ranges)
      if (clock + len > (of === client ? end : (clocks.get(of) ?? 0))) throw new BadUpdate("deletes what nobody made");
  return { end: structs.length > 0 ? last : known, onlyAdds: structs.length > 0 && ds.clients.size === 0 };
}

function decode(update: Uint8Array) {
  try {
    return Y.decodeUpdate(update);
  } catch {
    throw new BadUpdate("not an update");
  }
}

function checkItem(item: Y.Item, isKnown: (id: Y.ID) => boolean): void {
  if (!allowed.some((kind) => item.content instanceof kind))
    throw new BadUpdate("a kind of content that we do not use");
  if (item.content instanceof Y.ContentType) checkType(item.content.type);
  if (item.length < 1) throw new BadUpdate("an empty struct");
  for (const id of [item.origin, item.rightOrigin]) if (id && !isKnown(id)) throw new BadUpdate("an unknown neighbour");
  const parent: unknown = item.parent;
  if (parent instanceof Y.ID && !isKnown(parent)) throw new BadUpdate("an unknown parent");
  if (typeof parent === "string" && (parent !== BLOCKS || item.parentSub === null))
    throw new BadUpdate("another root than that of the blocks");
  if (item.parentSub !== null && item.parentSub.length > MAX_KEY_LENGTH) throw new BadUpdate("a key that is too long");
}

/** Checks how deeply the update nests types; `depths` maps the clocks of its structs to their depth. */
function checkNesting({ id, parent, origin, content }: Y.Item, client: number, depths: Map<number, number>): void {
  if (!(content instanceof Y.ContentType)) return;
  const beside = origin?.client === client ? depths.get(origin.clock) : undefined;
  const above: unknown = parent;
  const below = above instanceof Y.ID && above.client === client ? (depths.get(above.clock) ?? 0) + 1 : 0;
  const depth = beside ?? below;
  if (depth > MAX_NESTING) throw new BadUpdate("nested too deep");
  depths.set(id.clock, depth);
}

function checkType(type: unknown): void {
  const isOurs = type instanceof Y.XmlText || type instanceof Y.XmlElement;
  if (!isOurs || type instanceof Y.XmlHook) throw new BadUpdate("a type that we do not use");
}

/** Updates `clocks` with the structs of an update. */
export function addClocks(clocks: Map<number, number>, update: Uint8Array): void {
  for (const [client, clock] of Y.parseUpdateMeta(update).to)
    clocks.set(client, Math.max(clocks.get(client) ?? 0, clock));
}
