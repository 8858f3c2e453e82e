/**
 * Why an outside provider gave no result:
 * - `provider_refused`: it answered that it will not (4xx, out of quota, content refused);
 * - `provider_unreachable`: no usable answer after all attempts (network, timeout, 5xx);
 * - `provider_nonsense`: it answered something that does not fit its own protocol;
 * - `unsupported_pair`: it does not translate between these two languages.
 */
export type ProviderErrorCode = "provider_refused" | "provider_unreachable" | "provider_nonsense" | "unsupported_pair";

interface ProviderErrorDetails {
  readonly status?: number | undefined;
  /** The provider's own short code, such as `model_not_found`. */
  readonly reason?: string | undefined;
  /** Set if the provider asked for a longer pause than one call waits. */
  readonly retryAfterMs?: number | undefined;
}

/** Contains no address, key, request or answer text, so it may be logged and shown. */
export class ProviderError extends Error {
  readonly code: ProviderErrorCode;
  readonly provider: string;
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ProviderErrorCode, provider: string, what: string, details: ProviderErrorDetails = {}) {
    super(`${provider}: ${what}`);
    this.name = "ProviderError";
    this.code = code;
    this.provider = provider;
    this.status = details.status;
    this.reason = details.reason;
    this.retryAfterMs = details.retryAfterMs;
  }
}
