import { splitFrontMatter } from "@svc/document/properties/front-matter";
import { type NewBody, newBody } from "../../bodies/new-body.ts";
import { type ParseRules, parseBlocks, type SentContent } from "./parse-blocks.ts";

/** A body of what was sent, none of whose blocks is known yet. */
export function makeBody(content: SentContent, rules: ParseRules): NewBody {
  const blocks = parseBlocks(content, [], rules);
  const source = content.format === "markdown" ? splitFrontMatter(content.content).body : undefined;
  return newBody(blocks, source, rules.maxCharacters);
}
