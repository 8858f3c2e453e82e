/** Markup that is safe to send. Only `html` and `trusted` make it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The values allowed in a template. False, null and undefined render as nothing, so `condition && html…` works. */
export type Part = Html | string | number | false | null | undefined | readonly Part[];

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

function partText(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === false || part === null || part === undefined) return "";
  if (typeof part === "string") return escapeText(part);
  if (typeof part === "number") return String(part);
  return part.map(partText).join("");
}

/** A template whose values are escaped, in text and in quoted attributes alike. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.reduce((text, string, index) => text + partText(parts[index - 1]) + string));

/** Markup that was made safe elsewhere, such as the document package's sanitised output. */
export const trusted = (text: string): Html => new Html(text);
