import type { Editor, Range } from "@tiptap/core";
import type { Transaction } from "@tiptap/pm/state";

export interface FollowedRange {
  /** The current range. */
  readonly place: () => Range;
  readonly end: () => void;
}

/** Follows a range of the text while everybody edits, until `end`. Text inserted at its ends is not part of it. */
export function followRange(editor: Editor, { from, to }: Range): FollowedRange {
  let place = { from, to };
  const move = ({ transaction: { mapping } }: { transaction: Transaction }) => {
    const start = mapping.map(place.from, 1);
    place = { from: start, to: Math.max(start, mapping.map(place.to, -1)) };
  };
  editor.on("transaction", move);
  return { place: () => place, end: () => void editor.off("transaction", move) };
}
