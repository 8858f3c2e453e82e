import assert from "node:assert/strict";
import { defined } from "../../defined.ts";

const tags = new Set(
  (
    "a aside blockquote br code col colgroup details div em figcaption figure h1 h2 h3 h4 h5 h6 hr img input kbd li mark ol p picture pre s span " +
    "strong sub summary sup table tbody td th thead tr u ul"
  ).split(" "),
);
const attributes = new Set(
  "alt checked class colspan data-checked data-latex data-type data-wiki disabled download height href id loading open rel role rowspan src start style title type width".split(
    " ",
  ),
);
const tag = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/y;
const text = /[^<>]+/y;
const style = /^(?:(?:background-)?color|text-align|width|font-size|font-family):[\p{L}\p{N}#%.,() /_-]+$/u;

const decode = (value: string): string =>
  value
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");

/** Normalises an address as a browser does before it reads the scheme. */
const schemeOf = (url: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):/i.exec(url.replace(/^[\0-\x20]+/, "").replace(/[\t\n\r]/g, ""))?.[1]?.toLowerCase();

function checkAttribute(name: string, value: string): void {
  assert.ok(attributes.has(name), `attribute ${name}`);
  if (name === "href") assert.ok([undefined, "http", "https", "mailto", "tel", "svc"].includes(schemeOf(value)), value);
  if (name === "src") assert.ok([undefined, "http", "https"].includes(schemeOf(value)), value);
  if (name === "style") for (const rule of value.split(";")) assert.match(rule, style);
}

/**
 * Fails unless the HTML is made of known tags, balanced, with known attributes in double quotes, and of text without
 * angle brackets: nothing in it can run, whatever a browser makes of it.
 */
export function assertInert(html: string): void {
  const open: string[] = [];
  for (let pos = 0; pos < html.length; ) {
    text.lastIndex = tag.lastIndex = pos;
    const plain = text.exec(html);
    const found = plain ?? tag.exec(html);
    assert.ok(found, `stray bracket at ${html.slice(pos, pos + 60)}`);
    pos += found[0].length;
    if (plain) continue;
    const [, slash, name, list] = found as unknown as [string, string, string, string];
    assert.ok(tags.has(name), `tag ${name}`);
    if (slash) assert.equal(open.pop(), name);
    else if (!["br", "col", "hr", "img", "input"].includes(name)) open.push(name);
    for (const [, key, value = ""] of list.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g))
      checkAttribute(defined(key), decode(value));
  }
  assert.deepEqual(open, []);
}
