import { isRecord } from "@svc/document/guards";
import { endpoint, type HttpPolicy, requestJson } from "../http-client.ts";
import { ProviderError } from "../provider-error.ts";
import type { ApertiumEngine } from "./apertium.ts";
import type { ApertiumPair } from "./apertium-languages.ts";

const provider = "apertium";

/** The APy service. It accepts one text per call and truncates long ones silently. */
export function apertiumHttp(url: string, policy: HttpPolicy): ApertiumEngine {
  return {
    maxPieceLength: 10_000,
    maxBatchItems: 1,
    maxBatchLength: 10_000,
    async listPairs(signal) {
      return readPairs(await requestJson({ provider, url: endpoint(url, "/listPairs"), policy, signal }));
    },
    async translateTexts(texts, { source, target }, signal) {
      const results: string[] = [];
      for (const text of texts) {
        const body = new URLSearchParams({
          langpair: `${source}|${target}`,
          markUnknown: "no",
          format: "txt",
          q: text,
        });
        const answer = await requestJson({ provider, url: endpoint(url, "/translate"), body, policy, signal });
        results.push(readTranslation(answer));
      }
      return results;
    },
  };
}

function readPairs(answer: unknown): ApertiumPair[] {
  const data = isRecord(answer) ? answer.responseData : undefined;
  if (!Array.isArray(data)) throw new ProviderError("provider_nonsense", provider, "the list of pairs is not a list");
  return data.flatMap((item: { sourceLanguage?: unknown; targetLanguage?: unknown } | null) => {
    const { sourceLanguage: source, targetLanguage: target } = item ?? {};
    return typeof source === "string" && typeof target === "string" ? [{ source, target }] : [];
  });
}

function readTranslation(answer: unknown): string {
  const data = isRecord(answer) ? answer.responseData : undefined;
  const text = isRecord(data) ? data.translatedText : undefined;
  if (typeof text !== "string") throw new ProviderError("provider_nonsense", provider, "the answer has no text");
  return text;
}
