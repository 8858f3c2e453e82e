/** A language model that answers one prompt. Throws ProviderError, or the signal's reason when aborted. */
export interface Model {
  /** Provider and model name, for records. */
  readonly id: string;
  complete(request: ModelRequest): Promise<ModelAnswer>;
}

interface ModelRequest {
  readonly system: string;
  readonly user: string;
  readonly maxOutputTokens: number;
  readonly signal?: AbortSignal | undefined;
}

interface ModelAnswer {
  /** Never empty. */
  readonly text: string;
  /** The model stopped at `maxOutputTokens`. */
  readonly isTruncated: boolean;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}
