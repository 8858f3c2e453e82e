/** What checking, normalising and writing a 10,000-block body cost, as multiples of JSON.parse of it in the same run. */
import { canonicalJson } from "@svc/document/canonical";
import { diffBlocks } from "@svc/document/diff";
import { plainText } from "@svc/document/read/text";
import { estimateTokens } from "@svc/document/read/tokens";
import { normaliseBody } from "@svc/document/schema/normalise";
import { validateBody } from "@svc/document/schema/validate";
import { countingIds } from "@svc/document/testing/builders";
import { median, ratio, sampleBody } from "./document-sample.ts";

const body = sampleBody(10_000);
const text = JSON.stringify(body);
const copy = JSON.parse(text);
const canonical = JSON.parse(canonicalJson(body));
const words = plainText(body);
const parse = median(() => JSON.parse(text));

console.log(`10,000 blocks, ${text.length} characters of JSON: JSON.parse ${parse.toFixed(1)} ms`);
const measures: [name: string, work: () => unknown][] = [
  ["validate (bound: 3×)", () => validateBody(copy, { maxCharacters: 1e9 })],
  ["normalise, nothing to do", () => normaliseBody(copy, countingIds())],
  ["JSON.stringify", () => JSON.stringify(copy)],
  ["canonical JSON, keys in another order", () => copy.content.map(canonicalJson)],
  ["canonical JSON, keys in order", () => canonical.content.map(canonicalJson)],
  ["plain text", () => plainText(copy)],
  ["token estimate of the text", () => estimateTokens(words)],
  ["diff with an equal copy", () => diffBlocks(body.content, copy.content)],
];
for (const [name, work] of measures) console.log(`${name}: ${ratio(median(work), parse)} JSON.parse`);
