import { splitFrontMatter } from "@svc/document/properties/front-matter";
import type { SentContent } from "../../../bodies/parsing/parse-blocks.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";

export interface LeftOutWarning {
  readonly code: "properties_left_out";
  readonly block_id: null;
  readonly node_type: "frontMatter";
  readonly message: string;
}

/** The part of a proposed body that a suggestion cannot hold: front matter, unless it equals the document's. */
export function leftOut(
  content: SentContent,
  { front_matter }: Pick<DocumentRow, "front_matter">,
): readonly LeftOutWarning[] {
  const sent = content.format === "markdown" ? splitFrontMatter(content.content).frontMatter : "";
  if (sent === "" || sent === front_matter) return [];
  return [
    {
      code: "properties_left_out",
      block_id: null,
      node_type: "frontMatter",
      message: "The front matter is left out: a suggestion holds blocks only, and properties are set by a write.",
    },
  ];
}
