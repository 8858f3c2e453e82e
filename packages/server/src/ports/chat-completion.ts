import { endpoint, type HttpPolicy, requestJson } from "./http-client.ts";
import { ProviderError } from "./provider-error.ts";

/** An OpenAI-compatible chat endpoint. */
interface ChatSettings {
  readonly provider: string;
  /** `/chat/completions` is appended. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly policy: HttpPolicy;
}

interface ChatRequest {
  readonly system: string;
  readonly user: string;
  readonly maxOutputTokens: number;
  readonly signal?: AbortSignal | undefined;
}

interface ChatAnswer {
  readonly text: string;
  /** The model stopped at the token limit: the text is cut off. */
  readonly isTruncated: boolean;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

export type ChatEndpoint = (request: ChatRequest) => Promise<ChatAnswer>;

/**
 * Most servers accept `max_tokens` and `temperature`; some newer models refuse both and expect `max_completion_tokens`.
 * The first refusal is remembered for the life of the endpoint.
 */
export function chatEndpoint(settings: ChatSettings): ChatEndpoint {
  let isNewStyle = false;
  return async (request) => {
    try {
      return await complete(settings, request, isNewStyle);
    } catch (error) {
      const isStyle = error instanceof ProviderError && /^unsupported_(parameter|value)$/.test(error.reason ?? "");
      if (isNewStyle || !isStyle) throw error;
      isNewStyle = true;
      return complete(settings, request, isNewStyle);
    }
  };
}

async function complete(settings: ChatSettings, request: ChatRequest, isNewStyle: boolean): Promise<ChatAnswer> {
  const { provider, url, model, apiKey, policy } = settings;
  const limits = isNewStyle
    ? { max_completion_tokens: request.maxOutputTokens }
    : { max_tokens: request.maxOutputTokens, temperature: 0 };
  const messages = [
    { role: "system", content: request.system },
    { role: "user", content: request.user },
  ];
  const body = { model, messages, ...limits };
  const address = endpoint(url, "/chat/completions");
  return readAnswer(
    provider,
    await requestJson({ provider, url: address, body, apiKey, policy, signal: request.signal }),
  );
}

interface Completion {
  choices?: { finish_reason?: unknown; message?: { content?: unknown; refusal?: unknown } }[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown };
}

function readAnswer(provider: string, answer: unknown): ChatAnswer {
  const completion = answer as Completion | null;
  const choice = Array.isArray(completion?.choices) ? completion.choices[0] : undefined;
  if (choice?.finish_reason === "content_filter" || typeof choice?.message?.refusal === "string") {
    throw new ProviderError("provider_refused", provider, "the model refused", { reason: "content_refused" });
  }
  const text = choice?.message?.content;
  if (typeof text !== "string") throw new ProviderError("provider_nonsense", provider, "the answer has no text");
  return {
    text,
    isTruncated: choice?.finish_reason === "length",
    ...count("inputTokens", completion?.usage?.prompt_tokens),
    ...count("outputTokens", completion?.usage?.completion_tokens),
  };
}

const count = (name: "inputTokens" | "outputTokens", value: unknown) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? { [name]: value } : {};
