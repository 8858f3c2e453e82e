import type { HistoryKind } from "../../db/schema/tables/history.ts";
import { compare, type Manifest, writeStep } from "../manifest.ts";
import { uniteWriters, type Writer } from "./writer.ts";

/** A state of a body in the chain of its history, which begins with the newest. */
export interface ChainState {
  readonly id: string;
  readonly place: number;
  readonly kind: HistoryKind;
  /** The person who edits in a session; empty otherwise. */
  readonly userId: string;
  readonly version: string;
  readonly manifest: Manifest;
  readonly writers: readonly Writer[];
  readonly startedAt: number;
  readonly endedAt: number;
  readonly name: string | null;
  readonly byteSize: number;
}

/** The step from the state above to this one; null for the newest. */
export function stepOf(state: ChainState, above: ChainState | undefined): string | null {
  if (!above) return null;
  const difference = compare(state.manifest, above.manifest);
  return writeStep(difference, difference.before);
}

/** The body after a live edit, and a person who wrote in it. */
interface Edit extends Pick<ChainState, "place" | "version" | "manifest" | "byteSize"> {
  readonly userId: string;
  readonly writers: readonly Writer[];
  readonly now: number;
  /** The longest session. */
  readonly maxMs: number;
  readonly newId: () => string;
}

/**
 * The open sessions after an edit: that of the person has the new state and is the first. Where it stood before, the
 * state above takes over its writers, so that each state names who wrote since the one below.
 */
export function editIn(open: readonly ChainState[], edit: Edit): readonly ChainState[] {
  const { userId, now, place, version, manifest, byteSize, writers } = edit;
  const reached = { place, version, manifest, byteSize, endedAt: now };
  const at = open.findIndex((state) => state.userId === userId && state.startedAt > now - edit.maxMs);
  const own = open[at];
  if (!own) {
    const begun = {
      id: edit.newId(),
      kind: "session",
      userId,
      writers,
      startedAt: now,
      name: null,
      ...reached,
    } as const;
    return [begun, ...open];
  }
  if (at === 0) return [{ ...own, ...reached, writers: uniteWriters(own.writers, writers) }, ...open.slice(1)];
  const others = open.map((state, index) =>
    index === at - 1 ? { ...state, writers: uniteWriters(state.writers, own.writers) } : state,
  );
  return [{ ...own, ...reached, writers }, ...others.toSpliced(at, 1)];
}
