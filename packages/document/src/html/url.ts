import { defined } from "../defined.ts";

const scheme = /^([a-z][a-z0-9+.-]*):/i;
const linkSchemes = new Set(["http", "https", "mailto", "tel", "svc"]);
const imageSchemes = new Set(["http", "https"]);

/** Characters that a browser removes from an address before it reads the scheme. */
const ignored = /[\0-\x20\x7F-\xA0\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u2064\uFEFF\uFFFD]/g;

/** An address may go out when it has no scheme (and does not hide one) or one of the allowed. */
function isAllowed(url: string, schemes: ReadonlySet<string>): boolean {
  const bare = url.replace(ignored, "");
  const found = scheme.exec(bare);
  if (found) return schemes.has(defined(found[1]).toLowerCase());
  // A colon in the first part of a path, or a character reference that stands for one, could be taken for a scheme
  // where the address is decoded once more.
  return !/^[^/?#]*:|^[^/?]*&(?:#|colon|tab|newline)/i.test(bare) && !bare.includes("\\");
}

const runningSchemes = new Set(["javascript", "vbscript", "data"]);

/** Whether following an address would run something. */
export const runsSomething = (url: string): boolean =>
  runningSchemes.has(scheme.exec(url.replace(ignored, ""))?.[1]?.toLowerCase() ?? "");

export const isSafeLink = (url: string): boolean => isAllowed(url, linkSchemes);
export const isSafeImage = (url: string): boolean => isAllowed(url, imageSchemes);
