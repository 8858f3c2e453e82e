import { isRecord } from "@svc/document/guards";
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
const LANGUAGES_AGE_MS = 10 * 60_000;
/** Below the limit of characters that public servers set for one request. */
const limits = { maxPieceLength: 4_000, maxBatchItems: 50, maxBatchLength: 4_000 };

export function libreTranslate({ url, apiKey, policy }: LibreTranslateSettings): Translator {
  let cached: { languages: Language[] | undefined; at: number } | undefined;
  const listLanguages = (signal?: AbortSignal) =>
    requestJson({ provider, url: endpoint(url, "/languages"), policy, signal }).then(readLanguages, ignoreRefusal);
  const find = async (source: string, target: string, signal?: AbortSignal) => {
    if (cached === undefined || Date.now() - cached.at > LANGUAGES_AGE_MS)
      cached = { languages: await listLanguages(signal), at: Date.now() };
    return cached.languages ? findCodes(cached.languages, source, target) : plainCodes(source, target);
  };
  return {
    id: provider,
    supports: async (source, target, signal) => (await find(source, target, signal)) !== undefined,
    async translate(segments, { source, target, signal }) {
      const codes = await find(source, target, signal);
      if (codes === undefined) throw unsupported(source, target);
      const ask = async (q: readonly string[] | string): Promise<unknown> => {
        // The protocol puts the key in the body, never in a header or an address.
        const body = { q, ...codes, format: "text", ...(apiKey && { api_key: apiKey }) };
        const answer = await requestJson({ provider, url: endpoint(url, "/translate"), body, policy, signal });
        return isRecord(answer) ? answer.translatedText : undefined;
      };
      const translateTexts = async (q: readonly string[]) => {
        const texts = await ask(q);
        // The server answered a list with one text: it accepts only one at a time.
        return readTexts(typeof texts === "string" ? await inTurn(q, ask) : texts, q.length);
      };
      return translateInPieces(segments, { ...limits, translateTexts });
    },
  };
}

async function inTurn(texts: readonly string[], ask: (text: string) => Promise<unknown>): Promise<unknown[]> {
  const translated: unknown[] = [];
  for (const text of texts) translated.push(await ask(text));
  return translated;
}

/** If a server lists no languages, the translation is requested anyway, and the server refuses if it cannot do it. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof ProviderError) || error.code === "provider_unreachable") throw error;
}

/** Undefined if the answer is not a list. */
function readLanguages(answer: unknown): Language[] | undefined {
  if (!Array.isArray(answer)) return undefined;
  return answer.flatMap((item: { code?: unknown; targets?: unknown } | null) => {
    if (typeof item?.code !== "string" || !Array.isArray(item.targets)) return [];
    return [{ code: item.code, targets: item.targets.filter((each): each is string => typeof each === "string") }];
  });
}

function readTexts(texts: unknown, count: number): PieceOutcome[] {
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

/** The codes of most servers: the language alone, and the script if one language is written in two. */
function plainCodes(source: string, target: string) {
  const codeOf = (tag: string) => {
    const { language, script } = new Intl.Locale(tag).maximize();
    return language === "zh" && script === "Hant" ? "zh-Hant" : language;
  };
  const codes = { source: codeOf(source), target: codeOf(target) };
  return codes.source === codes.target ? undefined : codes;
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
