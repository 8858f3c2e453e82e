import { titleKey } from "@svc/document/read/title-key";
import { BY_NAME } from "../../library/links-by-name/read-pages.ts";

/** The item that an address of this service names. */
export interface Target {
  readonly kind: "doc" | "docset" | "concept";
  readonly id: string;
  readonly blockId: string | null;
  /**
   * For a web address, the host (without the protocol) and the path prefix; whether they mean this service is decided
   * when relations are read. Empty for `svc://` and for absolute paths.
   */
  readonly via: string;
}

const ID = "[0-9A-Za-z_-]{1,64}";
const STRICT = new RegExp(`^svc://doc/(${ID})(?:#block=(${ID}))?$`);
const LENIENT = new RegExp(`^svc://(doc|docset|concept)/(${ID})/?(?:[?#]|$)`, "i");
const FRAGMENT = new RegExp(`#block=(${ID})$`);

const ULID = "[0-9A-HJKMNP-TV-Z]{26}";
const WEB_PATH = new RegExp(`^(.*?)(?:/api/v1)?/documents/(doc_${ULID})(?:/blocks/(block_${ULID}))?/?$`);
const WEB_FRAGMENT = new RegExp(`^#(?:block=)?(block_${ULID})$`);
const MAX_HREF = 2000;
const MAX_VIA = 300;

/** Parses a document's or block's URI in the exact form used for relations; undefined for anything else. */
export function parseDocumentUri(uri: string): Target | undefined {
  const [, id, blockId = null] = STRICT.exec(uri) ?? [];
  return id === undefined ? undefined : { kind: "doc", id, blockId, via: "" };
}

/** Parses a link in a body, if it could point to this service. */
export function parseHref(href: string): Target | undefined {
  if (href.length > MAX_HREF) return undefined;
  const trimmed = href.trim();
  return /^svc:/i.test(trimmed) ? parseUri(trimmed) : parseWebAddress(trimmed);
}

function parseUri(uri: string): Target | undefined {
  const [, kind, id] = LENIENT.exec(uri) ?? [];
  if (kind === undefined || id === undefined) return undefined;
  const known = kind.toLowerCase() as Target["kind"];
  return { kind: known, id, blockId: known === "doc" ? (FRAGMENT.exec(uri)?.[1] ?? null) : null, via: "" };
}

function parseWebAddress(href: string): Target | undefined {
  if (!href.includes("/documents/doc_") || !/^(?:https?:)?\//i.test(href)) return undefined;
  const url = URL.parse(href, "http://root.invalid");
  const [, prefix, id, blockId] = WEB_PATH.exec(url?.pathname ?? "") ?? [];
  if (!url || id === undefined) return undefined;
  const via = (url.host === "root.invalid" ? "" : url.host) + prefix;
  if (via.length > MAX_VIA) return undefined;
  const shown = WEB_FRAGMENT.exec(url.hash) ?? WEB_FRAGMENT.exec(`#${url.searchParams.get("block")}`);
  return { kind: "doc", id, blockId: blockId ?? shown?.[1] ?? null, via };
}

/** The canonical form of a target. */
export const uriOf = ({ kind, id, blockId }: Target): string =>
  `svc://${kind}/${id}${blockId === null ? "" : `#block=${blockId}`}`;

/** Placeholder target for a page with that title until it exists. */
export const unknownPage = (knowledgeBaseId: number, title: string): string =>
  `name:${knowledgeBaseId}:${titleKey(title)}`.slice(0, 500);

/** The values of `via` that mean this service at this base address. */
export function ownVias(baseUrl: string): readonly string[] {
  const url = URL.parse(baseUrl);
  if (!url) return ["", BY_NAME];
  const prefix = url.pathname.replace(/\/+$/, "");
  return [...new Set(["", BY_NAME, prefix, url.host + prefix])];
}
