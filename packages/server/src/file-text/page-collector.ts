import type { TextPage } from "./file-text.ts";
import { MAX_CHARACTERS, MAX_PAGE_CHARACTERS, MAX_PAGES, PART_CHARACTERS, READING_MS } from "./limits.ts";

/** Characters that no database stores, or that no reader sees. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
const UNWANTED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;

const cleaned = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(UNWANTED, "")
    .replace(/[^\S\n]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** Gathers the text of a file page by page, up to the limits. */
export class PageCollector {
  readonly pages: TextPage[] = [];
  #truncated = false;
  #characters = 0;
  /** The current page, in pieces. */
  #pieces: string[] = [];
  #length = 0;
  #label: string | null = null;
  readonly #until = performance.now() + READING_MS;

  /** Whether there is no room or no time for more. The reader stops then. */
  get isFull(): boolean {
    const isFull =
      this.pages.length >= MAX_PAGES || this.#characters >= MAX_CHARACTERS || performance.now() > this.#until;
    if (isFull) this.#truncated = true;
    return isFull;
  }

  get isTruncated(): boolean {
    return this.#truncated;
  }

  /** Records that something was left out. */
  leaveOut(): void {
    this.#truncated = true;
  }

  set label(label: string) {
    this.#label = cleaned(label).slice(0, 200);
  }

  add(text: string): void {
    const room = MAX_PAGE_CHARACTERS - this.#length;
    if (text.length > room) this.#truncated = true;
    if (room <= 0 || text === "") return;
    this.#pieces.push(text.slice(0, room));
    this.#length += Math.min(room, text.length);
  }

  /** Adds text to a part, which ends at the next line end once it is long. */
  addToPart(text: string): void {
    this.add(text);
    if (this.#length >= PART_CHARACTERS && (text.endsWith("\n") || this.#length > 2 * PART_CHARACTERS)) this.endPart();
  }

  /** Ends a page that a reader of the file sees: an empty one counts. */
  endPage(): void {
    if (this.pages.length >= MAX_PAGES) {
      this.#truncated = true;
      return;
    }
    const text = cleaned(this.#pieces.join(""));
    const room = Math.max(0, MAX_CHARACTERS - this.#characters);
    if (text.length > room) this.#truncated = true;
    this.pages.push({ label: this.#label, text: text.slice(0, room).toWellFormed() });
    this.#characters += text.length;
    this.#pieces = [];
    this.#length = 0;
  }

  /** Ends a part of a file without pages. Empty parts do not count. */
  endPart(): void {
    if (cleaned(this.#pieces.join("")) !== "") this.endPage();
    this.#pieces = [];
    this.#length = 0;
  }
}
