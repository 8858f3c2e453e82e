import { endpoint, type HttpPolicy, requestJson } from "../http-client.ts";
import { ProviderError } from "../provider-error.ts";
import { type PieceOutcome, translateInPieces } from "./translate-in-pieces.ts";
import type { Translator } from "./translator.ts";

interface LibreTranslateSettings {
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly policy: HttpPolicy;
}

interface Language {
  readonly code: string;
  readonly targets: readonly string[];
}

const provider = "libretranslate";
const languagesAgeMs = 10 * 60_000;
/** Below the limit of characters that public servers set for one request. */
const limits = { maxPieceLength: 4_000, maxBatchItems: 50, maxBatchLength: 4_000 };

export function libreTranslate({ url, apiKey, policy }: LibreTranslateSettings): Translator {
  let known: { languages: Language[]; at: number } | undefined;
  const find = async (source: string, target: string, signal?: AbortSignal) => {
    if (known === undefined || Date.now() - known.at > languagesAgeMs) {
      const answer = await requestJson({ provider, url: endpoint(url, "/languages"), policy, signal });
      known = { languages: readLanguages(answer), at: Date.now() };
    }
    return findCodes(known.languages, source, target);
  };
  return {
    id: provider,
    supports: async (source, target, signal) => (await find(source, target, signal)) !== undefined,
    async translate(segments, { source, target, signal }) {
      const codes = await find(source, target, signal);
      if (codes === undefined) throw unsupported(source, target);
      const translateTexts = async (q: readonly string[]) => {
        const body = { q, ...codes, format: "text", ...(apiKey && { api_key: apiKey }) };
        // The key travels in the body, as the protocol has it, never in a header or an address.
        return readTexts(
          await requestJson({ provider, url: endpoint(url, "/translate"), body, policy, signal }),
          q.length,
        );
      };
      return translateInPieces(segments, { ...limits, translateTexts });
    },
  };
}

function readLanguages(answer: unknown): Language[] {
  if (!Array.isArray(answer)) throw new ProviderError("provider_nonsense", provider, "the languages are not a list");
  return answer.flatMap((item: { code?: unknown; targets?: unknown } | null) => {
    if (typeof item?.code !== "string" || !Array.isArray(item.targets)) return [];
    return [{ code: item.code, targets: item.targets.filter((each): each is string => typeof each === "string") }];
  });
}

function readTexts(answer: unknown, count: number): PieceOutcome[] {
  const texts = (answer as { translatedText?: unknown } | null)?.translatedText;
  if (!Array.isArray(texts) || texts.length !== count) {
    throw new ProviderError("provider_nonsense", provider, "the answer does not have one text for each");
  }
  return texts.map((text) => (typeof text === "string" ? { text } : { error: "provider_nonsense" }));
}

function findCodes(languages: readonly Language[], source: string, target: string) {
  const from = languages.find(
    ({ code }) =>
      code ===
      bestCode(
        languages.map((each) => each.code),
        source,
      ),
  );
  const to = bestCode(from?.targets ?? [], target);
  return from === undefined || to === undefined || from.code === to ? undefined : { source: from.code, target: to };
}

/** `pt-BR` before `pt`; a language whose server names only its script (`zh-Hans`) is found by its likely script. */
function bestCode(codes: readonly string[], tag: string): string | undefined {
  for (const wanted of tagForms(tag)) {
    const code = codes.find((each) => each.toLowerCase() === wanted.toLowerCase());
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Older servers call traditional Chinese `zt` and simplified Chinese `zh`. */
function tagForms(tag: string): string[] {
  try {
    const locale = new Intl.Locale(tag);
    const { language, script } = locale.maximize();
    const isTraditional = language === "zh" && script === "Hant";
    const forms = [locale.baseName, `${language}-${locale.region}`, `${language}-${script}`];
    return isTraditional ? [...forms, "zt"] : [...forms, language];
  } catch {
    return [];
  }
}

const unsupported = (source: string, target: string) =>
  new ProviderError("unsupported_pair", provider, `the server does not translate ${source} to ${target}`);
