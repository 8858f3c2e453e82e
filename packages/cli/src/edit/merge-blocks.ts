import { merge3 } from "@svc/document/merge3";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import { type Labels, type Merged, mergeTexts, mergeWords, threeWays } from "../text/merge.ts";
import { joinPieces, type Piece, type Pieces, piecesOf } from "./pieces.ts";

/**
 * Two edits of one anchored text, merged block by block as live edits are: blocks that one side changed, moved, added or
 * took away are as that side has them. Within a block that both changed, lines and then words are merged; where that
 * cannot be, and where one side deleted what the other changed, the block stands there three ways.
 */
export function mergeBlocks(base: string, mine: string, theirs: string, labels: Labels): Merged {
  const [before, own, other] = [piecesOf(base, "base"), piecesOf(mine, "mine"), piecesOf(theirs, "theirs")];
  const [inBase, inOwn, inOther] = [byId(before), byId(own), byId(other)];
  const textIn = (side: ReadonlyMap<string, Piece>, id: string): string => side.get(id)?.text ?? "";
  /** Texts of blocks that neither side has as they come out. */
  const made = new Map<string, string>();
  let conflicts = 0;
  const ask = (id: string): void => {
    conflicts++;
    made.set(
      id,
      threeWays(
        [inOwn, inBase, inOther].map((side) => textIn(side, id)),
        labels,
      ),
    );
  };
  /** I took it away, and the other side changed it. */
  const contested = before.pieces.filter(
    ({ id, text }) => inOther.has(id) && !inOwn.has(id) && text !== textIn(inOther, id),
  );
  for (const { id } of contested) ask(id);
  const { blocks } = merge3(nodesOf(before.pieces), nodesOf(other.pieces), nodesOf(withAlso(own, before, contested)), {
    mergeBlock: (_base, theirNode) => {
      const id = idOf(theirNode);
      const [from, here, there] = [inBase, inOwn, inOther].map((side) => textIn(side, id));
      const merged = mergeWithin(inOther.get(id)?.type, from ?? "", here ?? "", there ?? "", labels);
      if (merged === undefined) ask(id);
      else made.set(id, merged);
      return theirNode;
    },
    revive: (mineNode) => {
      ask(idOf(mineNode));
      return mineNode;
    },
  });
  const pieces = blocks.map((node) => {
    const id = idOf(node);
    // A block that was deleted in the meantime comes back as a new one.
    const isGone = inBase.has(id) && !inOther.has(id);
    const anchor = isGone ? undefined : (inOther.get(id) ?? inOwn.get(id))?.anchor;
    return { anchor, text: made.get(id) ?? node.text ?? "" };
  });
  return { text: joinPieces({ head: own.head, pieces }), conflicts };
}

const byId = ({ pieces }: Pieces): ReadonlyMap<string, Piece> => new Map(pieces.map((piece) => [piece.id, piece]));

const nodesOf = (pieces: readonly Piece[]): Node[] =>
  pieces.map(({ id, text }) => ({ type: "piece", attrs: { id }, text }));

/** My blocks with some of the base that I took away, each behind the one that it followed. */
function withAlso(own: Pieces, base: Pieces, also: readonly Piece[]): readonly Piece[] {
  if (also.length === 0) return own.pieces;
  const [mine, wanted] = [new Set(own.pieces.map(({ id }) => id)), new Set(also)];
  const behind = new Map<string, Piece[]>();
  let last = "";
  for (const piece of base.pieces)
    if (mine.has(piece.id)) last = piece.id;
    else if (wanted.has(piece)) behind.set(last, [...(behind.get(last) ?? []), piece]);
  return [...(behind.get("") ?? []), ...own.pieces.flatMap((piece) => [piece, ...(behind.get(piece.id) ?? [])])];
}

/** A block that both sides changed; undefined where they changed the same words. */
function mergeWithin(
  type: string | undefined,
  base: string,
  mine: string,
  theirs: string,
  labels: Labels,
): string | undefined {
  const byLines = mergeTexts(base, mine, theirs, labels);
  if (byLines.conflicts === 0) return byLines.text.trimEnd();
  // Words of code are no sentence.
  return type === "codeBlock" ? undefined : mergeWords(base, mine, theirs);
}
