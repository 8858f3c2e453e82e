import { links } from "@svc/document/read/links";
import { namedPage } from "@svc/document/read/named-page";
import { excerpt } from "@svc/document/read/text";
import { titleKey } from "@svc/document/read/title-key";
import type { Node } from "@svc/document/types";
import { parseHref, unknownPage, uriOf } from "../../domain/knowledge/relations/target.ts";
import { BY_NAME_UNKNOWN, pathKey } from "../../domain/library/links-by-name/read-pages.ts";
import type { LinkRow } from "./store.ts";

/** The columns of a relation that its link in the body determines. */
export type WantedLink = Omit<LinkRow, "workspace_id" | "id" | "document_id" | "created_by" | "created_at">;

const MAX_ANCHOR = 1000;

/** Anchor text that both databases store and return unchanged. */
const storable = (text: string): string => excerpt(text.replaceAll("\0", ""), MAX_ANCHOR).toWellFormed();

/** The links of top-level blocks that point into this service, in document order. */
export const wantedLinks = (blocks: readonly Node[], knowledgeBaseId: number): WantedLink[] =>
  links(blocks).flatMap((link) => {
    const target = targetOf(link.href, knowledgeBaseId);
    if (!target) return [];
    return {
      source_block_id: link.block_id,
      top_block_id: link.top_block_id,
      ...target,
      anchor_text: storable(link.anchor_text),
    };
  });

function targetOf(href: string, knowledgeBaseId: number) {
  const target = parseHref(href);
  if (target)
    return {
      target_uri: uriOf(target),
      target_document_id: target.kind === "doc" ? target.id : null,
      target_block_id: target.blockId,
      via: target.via,
    };
  const named = href.isWellFormed() ? namedPage(href) : undefined;
  if (named === undefined || titleKey(named.page) === "") return undefined;
  return {
    target_uri: unknownPage(knowledgeBaseId, pathKey(named)),
    target_document_id: unknownPage(knowledgeBaseId, named.page),
    target_block_id: null,
    via: BY_NAME_UNKNOWN,
  };
}
