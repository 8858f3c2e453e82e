import type { ProviderErrorCode } from "../provider-error.ts";

/**
 * Machine translation of short texts. Text may hold markers such as `⟦1⟧` and `⟦/1⟧` (placeholders.ts); an engine is
 * asked to keep them, and the caller checks that it did.
 */
export interface Translator {
  /** Provider and, where there is one, model: for records. */
  readonly id: string;
  /**
   * One result for every segment, in their order. Throws ProviderError when nothing could be translated at all (an
   * unsupported pair, a provider that refuses or is away), or the signal's reason when aborted.
   */
  translate(segments: readonly Segment[], options: TranslateOptions): Promise<SegmentResult[]>;
  /** Absent when the engine cannot tell; then it takes any pair. */
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
