import { ScannedText } from "@svc/search/snippet/scanned-text";
import type { HitDocument } from "./hit-document.ts";
import type { BlockRow } from "./hit-rows.ts";

/** A block that was found: its text, its document, and the headings that it stands under, as JSON. */
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

  /** What it takes in memory, roughly, without its document. */
  get bytes(): number {
    return 400 + 2 * (this.text.length + this.headingPath.length) + this.tokenBytes;
  }
}
