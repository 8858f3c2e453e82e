import { ScannedText } from "@svc/search/snippet/scanned-text";
import type { HitDocument } from "./hit-document.ts";
import type { BlockRow } from "./hit-rows.ts";

/** A found block: its text, its document, and the headings above it, as JSON. */
export class FoundBlock extends ScannedText {
  readonly number: number;
  /** Empty for the title. */
  readonly blockId: string;
  readonly document: HitDocument;
  readonly headingPath: string;

  constructor({ number, block_id }: BlockRow, document: HitDocument, text: string, headingPath: string) {
    super(text);
    this.number = number;
    this.blockId = block_id;
    this.document = document;
    this.headingPath = headingPath;
  }

  /** Estimated bytes in memory, without its document. */
  get bytes(): number {
    return 400 + 2 * (this.text.length + this.headingPath.length) + this.tokenBytes;
  }
}
