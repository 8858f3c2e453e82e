import { defined } from "@svc/document/defined";
import type { Node } from "@svc/document/types";

const USER_ID = "user_[0-9A-HJKMNP-TV-Z]{26}";

/** Ids of the people mentioned in a Markdown text, as `[@Name](svc://user/user_…)`. */
export const mentionedIn = (markdown: string): string[] => [
  ...new Set([...markdown.matchAll(new RegExp(`\\]\\(svc://user/(${USER_ID})\\)`, "g"))].map(([, id]) => defined(id))),
];

/** A comment's text for lists: mentions become plain names. */
export const spokenText = (markdown: string): string =>
  markdown.replaceAll(new RegExp(`\\[(@[^\\]\\n]*)\\]\\(svc://user/${USER_ID}\\)`, "g"), "$1");

const hrefOf = (node: Node): string => {
  const link = node.marks?.find(({ type }) => type === "link");
  return typeof link?.attrs?.href === "string" ? link.attrs.href : "";
};

const ONE_PERSON = new RegExp(`^${USER_ID}$`);
const LINK_TO_PERSON = new RegExp(`^svc://user/(${USER_ID})$`);

/** The person that a node refers to: a `mention`, or text with a link to a person. */
function personOf(node: Node): string | undefined {
  if (node.type === "mention") {
    const { kind, id } = node.attrs ?? {};
    return kind === "user" && typeof id === "string" && ONE_PERSON.test(id) ? id : undefined;
  }
  return node.marks && LINK_TO_PERSON.exec(hrefOf(node))?.[1];
}

/** Ids of the people mentioned in these blocks. */
export function mentionedInBlocks(blocks: readonly Node[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: Node): void => {
    const id = personOf(node);
    if (id !== undefined) found.add(id);
    for (const child of node.content ?? []) visit(child);
  };
  for (const block of blocks) visit(block);
  return found;
}
