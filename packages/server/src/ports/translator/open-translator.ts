import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { defaultHttpPolicy, type HttpPolicy } from "../http-client.ts";
import { InvalidSetting } from "../invalid-setting.ts";
import { checkProviderUrl } from "../provider-url.ts";
import { apertium } from "./apertium.ts";
import { apertiumCommand } from "./apertium-command.ts";
import { apertiumHttp } from "./apertium-http.ts";
import { libreTranslate } from "./libretranslate.ts";
import { openAiTranslator } from "./openai-translator.ts";
import type { Translator } from "./translator.ts";

/** The SVC_TRANSLATION_… settings; no translator if the provider is unset. */
interface TranslatorSettings {
  readonly provider?: string | undefined;
  readonly url?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly model?: string | undefined;
  readonly policy?: HttpPolicy;
  /** The directories in which to find the `apertium` command. */
  readonly path?: string | undefined;
}

/** Throws InvalidSetting; contacts no provider before the first translation. */
export function openTranslator(settings: TranslatorSettings): Translator | undefined {
  switch (settings.provider) {
    case undefined:
    case "":
      return undefined;
    case "apertium":
      return openApertium(settings);
    case "libretranslate":
      return libreTranslate({ url: neededUrl(settings), apiKey: settings.apiKey, policy: policyOf(settings) });
    case "openai":
      return openOpenAi(settings);
    default:
      throw new InvalidSetting("SVC_TRANSLATION_PROVIDER", "allowed are apertium, libretranslate and openai");
  }
}

const policyOf = ({ policy = defaultHttpPolicy }: TranslatorSettings): HttpPolicy => policy;

function neededUrl({ url, provider }: TranslatorSettings): string {
  if (!url) throw new InvalidSetting("SVC_TRANSLATION_URL", `is needed with the provider ${provider}`);
  return checkProviderUrl("SVC_TRANSLATION_URL", url);
}

function openOpenAi(settings: TranslatorSettings): Translator {
  const { model, apiKey } = settings;
  if (!model) throw new InvalidSetting("SVC_TRANSLATION_MODEL", "is needed with the provider openai");
  return openAiTranslator({ url: neededUrl(settings), model, apiKey, policy: policyOf(settings) });
}

function openApertium(settings: TranslatorSettings): Translator {
  const policy = policyOf(settings);
  if (settings.url) return apertium(apertiumHttp(neededUrl(settings), policy));
  const command = findProgram("apertium", settings.path ?? process.env.PATH ?? "");
  if (command === undefined) {
    throw new InvalidSetting("SVC_TRANSLATION_URL", "is unset, and there is no command apertium on the PATH");
  }
  return apertium(apertiumCommand({ command, timeoutMs: policy.timeoutMs, maxAnswerBytes: policy.maxAnswerBytes }));
}

function findProgram(name: string, path: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
