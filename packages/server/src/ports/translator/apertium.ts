import { ProviderError } from "../provider-error.ts";
import { type ApertiumPair, findPair } from "./apertium-languages.ts";
import { type PieceEngine, translateInPieces } from "./translate-in-pieces.ts";
import type { Translator } from "./translator.ts";

/** One of the two ways to use Apertium: its web service or its command. */
export interface ApertiumEngine extends Omit<PieceEngine, "translateTexts"> {
  listPairs(signal?: AbortSignal): Promise<ApertiumPair[]>;
  translateTexts(texts: readonly string[], pair: ApertiumPair, signal?: AbortSignal): Promise<string[]>;
}

/** Installed pairs rarely change; they are listed again after this long. */
const PAIRS_AGE_MS = 10 * 60_000;

export function apertium(engine: ApertiumEngine): Translator {
  let cached: { pairs: ApertiumPair[]; at: number } | undefined;
  const find = async (source: string, target: string, signal?: AbortSignal) => {
    if (cached === undefined || Date.now() - cached.at > PAIRS_AGE_MS) {
      cached = { pairs: await engine.listPairs(signal), at: Date.now() };
    }
    return findPair(cached.pairs, source, target);
  };
  return {
    id: "apertium",
    supports: async (source, target, signal) => (await find(source, target, signal)) !== undefined,
    async translate(segments, { source, target, signal }) {
      const pair = await find(source, target, signal);
      if (pair === undefined) throw unsupported(source, target);
      return translateInPieces(segments, {
        ...engine,
        translateTexts: async (texts) => (await engine.translateTexts(texts, pair, signal)).map((text) => ({ text })),
      });
    },
  };
}

const unsupported = (source: string, target: string) =>
  new ProviderError("unsupported_pair", "apertium", `no pair from ${source} to ${target} is installed`);
