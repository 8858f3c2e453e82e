import { defaultHttpPolicy, type HttpPolicy } from "../http-client.ts";
import { InvalidSetting } from "../invalid-setting.ts";
import { checkProviderUrl } from "../provider-url.ts";
import type { Model } from "./model.ts";
import { openAiModel } from "./openai-model.ts";

interface ModelSettings {
  /** SVC_MODEL_URL, SVC_MODEL_NAME, SVC_MODEL_API_KEY; no model if the address is unset. */
  readonly url?: string | undefined;
  readonly name?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly policy?: HttpPolicy;
}

export function openModel({ url, name, apiKey, policy = defaultHttpPolicy }: ModelSettings): Model | undefined {
  if (!url) return undefined;
  if (!name) throw new InvalidSetting("SVC_MODEL_NAME", "is needed when SVC_MODEL_URL is set");
  return openAiModel({ url: checkProviderUrl("SVC_MODEL_URL", url), name, apiKey, policy });
}
