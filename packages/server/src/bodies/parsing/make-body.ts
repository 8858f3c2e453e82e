import { splitFrontMatter } from "@svc/document/properties/front-matter";
import { type NewBody, newBody } from "../new-body.ts";
import { type ParseRules, parseBlocks, type SentContent } from "./parse-blocks.ts";

/** Makes a body of sent content, none of whose blocks exist yet. */
export function makeBody(content: SentContent, rules: ParseRules): NewBody {
  const blocks = parseBlocks(content, [], rules);
  const source = content.format === "markdown" ? splitFrontMatter(content.content).body : undefined;
  return newBody(blocks, source, rules.maxCharacters);
}
