import { defined } from "../defined.ts";
import { type CharClass, charClass } from "./tokenizer.ts";

/** Either text that is ready, or the begin or end of emphasis whose form depends on what stands around it. */
export interface Piece {
  readonly text?: string;
  readonly open?: boolean;
  readonly delimiter?: string;
  readonly tag?: string;
  /** For a closing piece: its opening piece. */
  readonly partner?: Piece;
  /** For an opening piece: the index of its closing piece. */
  closing?: number;
  /** Decided: the delimiter is understood here. Else the tag is written. */
  plain?: boolean;
}

const firstClass = (text: string): CharClass => charClass(text.codePointAt(0)!);
function lastClass(text: string): CharClass {
  const low = text.charCodeAt(text.length - 1);
  const isPair = low >= 0xdc00 && low <= 0xdfff && text.length > 1;
  return charClass(isPair ? text.codePointAt(text.length - 2)! : low);
}
const isMerged = (a: Piece, b: Piece): boolean => a.delimiter?.[0] === b.delimiter?.[0];

/** The class before an opening delimiter, or null when a closing one of the same kind would run into it. */
function before(pieces: readonly Piece[], index: number): CharClass | null {
  for (let i = index - 1; i >= 0; i--) {
    const piece = pieces[i]!;
    if (piece.text !== undefined) return lastClass(piece.text);
    const plain = piece.open ? piece.plain : defined(piece.partner).plain;
    if (!plain || !isMerged(piece, pieces[index]!)) return "punctuation";
    if (!piece.open) return null;
  }
  return "space";
}

/** The class after a closing delimiter. Marks that close right after it were decided before. */
function after(pieces: readonly Piece[], index: number): CharClass {
  for (let i = index + 1; i < pieces.length; i++) {
    const piece = pieces[i]!;
    if (piece.text !== undefined) return firstClass(piece.text);
    if (piece.open || !defined(piece.partner).plain || !isMerged(piece, pieces[index]!)) return "punctuation";
  }
  return "space";
}

/** The class on the inner side. A delimiter there may yet become a tag: counting it as punctuation is safe for both. */
const inner = (piece: Piece, edge: (text: string) => CharClass): CharClass =>
  piece.text === undefined ? "punctuation" : edge(piece.text);

const flanks = (inside: CharClass, outside: CharClass): boolean =>
  inside !== "space" && (inside === "word" || outside !== "word");

/** Whether delimiters at both places will be read as this emphasis and as nothing else. */
function isPlain(pieces: readonly Piece[], open: number, close: number, nested: boolean): boolean {
  const outerLeft = before(pieces, open);
  if (outerLeft === null) return false;
  const innerLeft = inner(pieces[open + 1]!, firstClass);
  if (!flanks(innerLeft, outerLeft)) return false;
  // A delimiter that could also close must have nothing to close.
  if (nested && flanks(outerLeft, innerLeft)) return false;
  return flanks(inner(pieces[close - 1]!, lastClass), after(pieces, close));
}

function decide(pieces: readonly Piece[]): void {
  let openStars = 0;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!;
    if (piece.text !== undefined) continue;
    const isStar = defined(piece.delimiter)[0] === "*";
    if (!piece.open) {
      if (isStar && defined(piece.partner).plain) openStars--;
      continue;
    }
    piece.plain = isPlain(pieces, i, piece.closing!, isStar && openStars > 0);
    if (isStar && piece.plain) openStars++;
  }
}

const write = (piece: Piece): string => {
  if (piece.text !== undefined) return piece.text;
  const plain = piece.open ? piece.plain : defined(piece.partner).plain;
  if (plain) return piece.delimiter!;
  return piece.open ? `<${piece.tag}>` : `</${piece.tag}>`;
};

/**
 * Joins pieces, choosing for each emphasis between delimiters and tags. Delimiters are taken only where the rules on
 * white space and punctuation around them leave no doubt; CJK text next to brackets and half-bold words get tags.
 */
export function joinPieces(pieces: readonly Piece[]): string {
  const [first] = pieces;
  if (pieces.length === 1 && first?.text !== undefined) return first.text;
  if (pieces.some((piece) => piece.text === undefined)) decide(pieces);
  let text = "";
  for (const piece of pieces) text += write(piece);
  return text;
}
