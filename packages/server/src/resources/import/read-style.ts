import { attachmentIdOf } from "@svc/document/markdown/attachment-url";
import { findDestinations } from "@svc/document/markdown/destinations";
import { parseMarkdown } from "@svc/document/markdown/parse";
import type { LoadedBody } from "./plan.ts";

/** Addresses that name something by an id, which becomes another one. */
const hasId = (address: string): boolean =>
  /^svc:\/\/(?:doc|concept)\//.test(address) || attachmentIdOf(address) !== null;

/** The Markdown that a body was written in; what does not read as the body is left out when ids are mapped. */
export function readStyle(text: string): NonNullable<LoadedBody["source"]> {
  const named = findDestinations(text).flatMap(({ value }) => (hasId(value) ? value : []));
  return { text, blocks: parseMarkdown(text), addresses: new Map(named.map((address) => [address, address])) };
}
