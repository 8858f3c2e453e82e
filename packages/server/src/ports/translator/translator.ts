import type { ProviderErrorCode } from "../provider-error.ts";

/**
 * Machine translation of short texts. Text may contain markers such as `⟦1⟧` and `⟦/1⟧` (placeholders.ts). An engine is
 * asked to keep them, and the caller checks that it did.
 */
export interface Translator {
  /** Provider and model, if any, for records. */
  readonly id: string;
  /**
   * Returns one result for every segment, in order. Throws ProviderError if nothing could be translated at all (an
   * unsupported pair, a provider that refuses or is away), or the signal's reason when aborted.
   */
  translate(segments: readonly Segment[], options: TranslateOptions): Promise<SegmentResult[]>;
  /** Undefined if the engine cannot say; then it accepts any pair. */
  supports?(source: string, target: string, signal?: AbortSignal): Promise<boolean>;
}

export interface Segment {
  readonly id: string;
  readonly text: string;
}

/** Languages are BCP 47 tags. */
export interface TranslateOptions {
  readonly source: string;
  readonly target: string;
  readonly signal?: AbortSignal | undefined;
}

export type SegmentResult =
  | { readonly id: string; readonly text: string }
  | { readonly id: string; readonly error: ProviderErrorCode };
