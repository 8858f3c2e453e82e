import { isRecord } from "@svc/document/guards";

export type ModelSentence = {
  readonly text: string;
  readonly citations: readonly { readonly passage: number; readonly quote: string }[];
};

const MAX_SENTENCES = 20;
const MAX_TEXT = 2000;

/** Reads a model's answer; undefined if it does not have the form that was asked for. */
export function readSentences(text: string): ModelSentence[] | undefined {
  const answer = parsed(text);
  if (!isRecord(answer) || !Array.isArray(answer.sentences) || answer.sentences.length > MAX_SENTENCES)
    return undefined;
  const sentences = answer.sentences.map(sentenceOf);
  return sentences.every((sentence) => sentence !== undefined) ? sentences : undefined;
}

/** Models like to fence JSON as if it were a code block. */
const FENCED = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(FENCED.exec(text.trim())?.[1] ?? text);
  } catch {
    return undefined;
  }
}

function sentenceOf(value: unknown): ModelSentence | undefined {
  if (!isRecord(value) || typeof value.text !== "string") return undefined;
  const text = value.text.trim();
  if (text === "" || text.length > MAX_TEXT) return undefined;
  const given = value.citations ?? [];
  if (!Array.isArray(given)) return undefined;
  const citations = given.flatMap((citation) =>
    isRecord(citation) && typeof citation.passage === "number" && typeof citation.quote === "string"
      ? [{ passage: citation.passage, quote: citation.quote }]
      : [],
  );
  return citations.length === given.length ? { text, citations } : undefined;
}
