import { attachmentIdOf } from "@svc/document/markdown/attachment-url";
import { findDestinations } from "@svc/document/markdown/destinations";
import { parseMarkdown } from "@svc/document/markdown/parse";
import type { LoadedBody } from "./plan.ts";

/** Whether the address contains an id, which will be replaced. */
const hasId = (address: string): boolean =>
  /^svc:\/\/(?:doc|concept)\//.test(address) || attachmentIdOf(address) !== null;

/** The Markdown source of a body; parts that do not parse to the body are dropped when ids are mapped. */
export function readStyle(text: string): NonNullable<LoadedBody["source"]> {
  const named = findDestinations(text).flatMap(({ value }) => (hasId(value) ? value : []));
  return { text, blocks: parseMarkdown(text), addresses: new Map(named.map((address) => [address, address])) };
}
