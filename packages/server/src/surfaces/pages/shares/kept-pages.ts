import { createHash } from "node:crypto";
import { keyOf } from "../../../cache/key-of.ts";
import { type CachedText, TextCache } from "../../../cache/text-cache.ts";
import type { PublicPlace } from "./follow-links.ts";
import type { RenderedPublic } from "./render-public.ts";

/** The part of a public page that follows from its body, ready to be sent. */
export interface PublicText {
  readonly css: string;
  readonly contents: string;
  readonly html: Buffer;
}

/** Lengths of the first two of the texts that are kept as one, in bytes. */
type Lengths = readonly [css: number, contents: number];

/** Rendered bodies; titles, dates and trees around them are added for each request. */
const PAGES = new TextCache<Lengths>("share_pages");
const underWay = new Map<string, Promise<PublicText>>();

const hashOf = (values: ReadonlyMap<string, string>): string =>
  createHash("sha256")
    .update(JSON.stringify([...values].sort(([one], [other]) => (one < other ? -1 : 1))))
    .digest("base64url");

/** Everything that a rendered body follows from. */
export const pageKey = (db: object, documentId: string, version: string, place: PublicPlace): string =>
  [
    keyOf(db),
    documentId,
    version,
    place.token,
    place.baseUrl,
    place.named.size > 0 ? hashOf(place.named) : "",
    place.pages.size > 0 ? keyOf(place.pages) : "",
  ].join(" ");

/** A rendered body, made once for all who ask for it at the same time. `isFixed`: it may be kept. */
export async function keptPage(
  key: string,
  render: () => Promise<RenderedPublic & { readonly isFixed: boolean }>,
): Promise<PublicText> {
  const kept = PAGES.get(key);
  if (kept) return cut(kept);
  const begun = underWay.get(key);
  if (begun) return begun;
  const made = make(key, render).finally(() => underWay.delete(key));
  underWay.set(key, made);
  return made;
}

async function make(
  key: string,
  render: () => Promise<RenderedPublic & { readonly isFixed: boolean }>,
): Promise<PublicText> {
  const { css, contents, html, isFixed } = await render();
  const bytes = [css, contents, html].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
  if (isFixed) PAGES.put(key, Buffer.concat(bytes), [bytes[0].length, bytes[1].length]);
  return { css, contents, html: bytes[2] };
}

function cut(kept: CachedText<Lengths>): PublicText {
  const bytes = kept.bytes ?? Buffer.from(kept.text);
  const [css, contents] = kept.about;
  return {
    css: bytes.toString("utf8", 0, css),
    contents: bytes.toString("utf8", css, css + contents),
    html: bytes.subarray(css + contents),
  };
}
