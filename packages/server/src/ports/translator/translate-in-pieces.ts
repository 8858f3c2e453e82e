import { ProviderError, type ProviderErrorCode } from "../provider-error.ts";
import { batches } from "./batches.ts";
import { keepOuterSpace, splitText } from "./split-text.ts";
import type { Segment, SegmentResult } from "./translator.ts";

/** An engine and its limits per request. Lengths are in UTF-16 units. */
export interface PieceEngine {
  readonly maxPieceLength: number;
  readonly maxBatchItems: number;
  readonly maxBatchLength: number;
  /** Returns one outcome for each text, in order. A thrown ProviderError counts for all of them. */
  translateTexts(texts: readonly string[]): Promise<PieceOutcome[]>;
}

export type PieceOutcome = { readonly text: string } | { readonly error: ProviderErrorCode };

interface Piece {
  readonly segment: number;
  readonly text: string;
}

/** Cuts long segments, groups short ones, sends each group to the engine, and joins the answers again. */
export async function translateInPieces(segments: readonly Segment[], engine: PieceEngine): Promise<SegmentResult[]> {
  const pieces = segments.flatMap(({ text }, segment) =>
    splitText(text, engine.maxPieceLength).map((piece): Piece => ({ segment, text: piece })),
  );
  const outcomes = new Map<Piece, PieceOutcome>();
  const worded = pieces.filter((piece) => hasWords(piece.text));
  for (const piece of pieces) if (!hasWords(piece.text)) outcomes.set(piece, { text: piece.text });
  await askAll(
    batches(worded, engine.maxBatchItems, engine.maxBatchLength, ({ text }) => text.length),
    engine,
    outcomes,
  );
  return joinPieces(segments, pieces, outcomes);
}

/**
 * A nonsensical answer affects its own group only; after any other failure no more groups are sent. Throws if nothing
 * was translated, otherwise reports the failure for the affected pieces.
 */
async function askAll(groups: Piece[][], engine: PieceEngine, outcomes: Map<Piece, PieceOutcome>): Promise<void> {
  let failure: ProviderError | undefined;
  let isAnyDone = false;
  for (const group of groups) {
    if (failure === undefined || failure.code === "provider_nonsense") {
      failure = await ask(group, engine, outcomes);
      isAnyDone ||= failure === undefined;
    }
    if (failure) for (const piece of group) outcomes.set(piece, { error: failure.code });
  }
  if (failure && !isAnyDone) throw failure;
}

async function ask(group: Piece[], engine: PieceEngine, outcomes: Map<Piece, PieceOutcome>) {
  try {
    record(group, await engine.translateTexts(group.map(({ text }) => text)), outcomes);
    return undefined;
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
}

function record(group: Piece[], answers: PieceOutcome[], outcomes: Map<Piece, PieceOutcome>): void {
  for (const [index, piece] of group.entries()) {
    const answer = answers[index] ?? { error: "provider_nonsense" };
    outcomes.set(piece, "text" in answer ? checked(piece.text, answer.text) : answer);
  }
}

/** An empty answer, or one out of all proportion, is not a translation. */
function checked(source: string, text: string): PieceOutcome {
  if (text.trim() === "" || text.length > 1000 + 20 * source.length) return { error: "provider_nonsense" };
  return { text: keepOuterSpace(source, text) };
}

function joinPieces(
  segments: readonly Segment[],
  pieces: readonly Piece[],
  outcomes: ReadonlyMap<Piece, PieceOutcome>,
): SegmentResult[] {
  const texts: string[][] = segments.map(() => []);
  const errors = new Map<number, ProviderErrorCode>();
  for (const piece of pieces) {
    const outcome = outcomes.get(piece) ?? { error: "provider_nonsense" };
    if ("text" in outcome) texts[piece.segment]?.push(outcome.text);
    else errors.set(piece.segment, outcome.error);
  }
  return segments.map(({ id }, index) => {
    const error = errors.get(index);
    return error === undefined ? { id, text: (texts[index] ?? []).join("") } : { id, error };
  });
}

/** Whether there is anything to translate besides markers, digits and punctuation. */
export const hasWords = (text: string): boolean => /\p{L}/u.test(text.replace(/⟦[^⟦⟧]*⟧/g, ""));
