/** A bare address in running text. */
interface Autolink {
  readonly start: number;
  readonly end: number;
  readonly href: string;
}

const mayHold = /:\/\/|www\.|@/i;
/** http, https and svc addresses; `www.`; email. An address begins where no word runs into it. */
const candidate =
  /(?<![\p{L}\p{N}_])(?:(?:https?|svc):\/\/[^\s<]+|www\.[^\s<]+)|(?<![\p{L}\p{N}_.+-])[A-Za-z0-9][A-Za-z0-9._+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+(?![\p{L}\p{N}_-])/giu;
const host = /^[\p{L}\p{N}][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*/u;
const tail = /[?!.,:*_~'";]/;

/** Trailing punctuation and closing brackets that were not opened inside are not part of an address. */
function trimTail(url: string): string {
  let unopened = 0;
  for (const char of url) {
    if (char === "(") unopened--;
    else if (char === ")") unopened++;
  }
  let end = url.length;
  for (; end > 0; end--) {
    const char = url[end - 1]!;
    if (char === ")" && unopened > 0) unopened--;
    else if (!tail.test(char)) break;
  }
  return url.slice(0, end);
}

function readUrl(start: number, raw: string): Autolink | null {
  const url = trimTail(raw);
  const scheme = url.indexOf("://");
  const found = host.exec(scheme < 0 ? url : url.slice(scheme + 3))?.[0];
  if (!found || (scheme < 0 && !/^www\.[^.]/i.test(found))) return null;
  return { start, end: start + url.length, href: scheme < 0 ? `http://${url}` : url };
}

function readEmail(start: number, raw: string): Autolink | null {
  if (/[-_.]$/.test(raw) || raw.includes("..")) return null;
  return { start, end: start + raw.length, href: `mailto:${raw}` };
}

/** Finds what becomes a link without markup in a piece of text; `before` is the character in front of it. */
export function findAutolinks(text: string, before: string): readonly Autolink[] {
  if (!mayHold.test(text)) return [];
  const source = before + text;
  const links: Autolink[] = [];
  candidate.lastIndex = 0;
  for (let match = candidate.exec(source); match; match = candidate.exec(source)) {
    const isUrl = match[0].includes("://") || /^www\./i.test(match[0]);
    const start = match.index - before.length;
    const link = isUrl ? readUrl(start, match[0]) : readEmail(start, match[0]);
    if (!link || start < 0) continue;
    links.push(link);
    candidate.lastIndex = link.end + before.length;
  }
  return links;
}

const linkable = /(?<=https?|svc):(?=\/\/)|(?<=www)\.|(?<=[a-z0-9._+-])@(?=[a-z0-9-])/gi;

/** Escapes the character without which none of these addresses can be read. */
export const escapeAutolinks = (text: string): string => (mayHold.test(text) ? text.replace(linkable, "\\$&") : text);
