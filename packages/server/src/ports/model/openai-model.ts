import { chatEndpoint } from "../chat-completion.ts";
import type { HttpPolicy } from "../http-client.ts";
import { ProviderError } from "../provider-error.ts";
import type { Model } from "./model.ts";

interface OpenAiModelSettings {
  readonly url: string;
  readonly name: string;
  readonly apiKey?: string | undefined;
  readonly policy: HttpPolicy;
}

export function openAiModel({ url, name, apiKey, policy }: OpenAiModelSettings): Model {
  const provider = "model";
  const chat = chatEndpoint({ provider, url, model: name, apiKey, policy });
  return {
    id: `openai:${name}`,
    async complete(request) {
      const answer = await chat(request);
      const text = answer.text.trim();
      if (text === "") throw new ProviderError("provider_nonsense", provider, "the answer is empty");
      return { ...answer, text };
    },
  };
}
