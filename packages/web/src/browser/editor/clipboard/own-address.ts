import { at } from "../../islands/common/base-path.ts";

/** An address of one of our pages, as the body writes it; undefined for any other text. */
export function ownAddress(text: string): { readonly id: string; readonly href: string } | undefined {
  const base = `${location.origin}${at("/documents/")}`;
  if (!text.startsWith(base)) return undefined;
  const [, id, block] = /^(doc_\w{26})(?:\?block=(block_\w{26}))?(?:#\S*)?$/.exec(text.slice(base.length)) ?? [];
  return id === undefined ? undefined : { id, href: `svc://doc/${id}${block ? `#block=${block}` : ""}` };
}
