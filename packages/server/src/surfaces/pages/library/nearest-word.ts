import { distance } from "@svc/document/distance";

const fold = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The word in some texts that is nearest to the typed one; undefined if all are too different. */
export function nearestWord(typed: string, texts: readonly string[]): string | undefined {
  const word = fold(typed);
  const most = [...word].length <= 5 ? 1 : 2;
  const words = new Set(texts.flatMap((text) => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []));
  const near = [...words]
    .map((other) => ({ other, far: distance(word, fold(other)) }))
    .filter(({ far }) => far > 0 && far <= most)
    .sort((a, b) => a.far - b.far || (a.other < b.other ? -1 : 1));
  return near[0]?.other;
}
