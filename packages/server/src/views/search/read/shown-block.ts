import { ScannedText } from "@svc/search/snippet/scanned-text";

/** A block's text and the headings it stands under, as JSON. */
export class ShownBlock extends ScannedText {
  readonly headingPath: string;

  constructor(text: string, headingPath: readonly string[]) {
    super(text);
    this.headingPath = JSON.stringify(headingPath);
  }

  /** What it takes in memory, roughly. */
  get bytes(): number {
    return 300 + 2 * (this.text.length + this.headingPath.length) + this.tokenBytes;
  }
}
