import type { EditContext } from "../blocks/context.ts";
import { serialiseBlock } from "../markdown/serialise.ts";
import { tooLarge, type ValidateOptions } from "../schema/validate.ts";
import type { WriteMarkdown } from "./source-text.ts";

export type MarkdownContext = EditContext &
  ValidateOptions & {
    /** The Markdown of one stored block; the server may answer from memory. */
    readonly writeMarkdown?: WriteMarkdown;
    readonly budget: MarkdownBudget;
  };

/** The total text of the batch's operations so far. */
interface MarkdownBudget {
  characters: number;
}

export const writerOf = ({ writeMarkdown }: MarkdownContext): WriteMarkdown =>
  writeMarkdown ?? ((block) => serialiseBlock(block).text);

/** The operations of one batch bring no more Markdown together than a body may have text. */
export function spend({ budget, maxCharacters }: MarkdownContext, characters: number): void {
  budget.characters += characters;
  if (budget.characters > maxCharacters) throw tooLarge(maxCharacters, budget.characters);
}

const anchors = /^ {0,3}<!--[ \t]*@(?:block=[^\s>]+?|[0-9A-HJKMNP-TV-Z]{8})(?:[ \t]+#\S*)?[ \t]*-->[ \t]*\n?/gm;

export const withPlainLineEnds = (text: string): string => text.replace(/\r\n?/g, "\n");

/** Without the comments that name blocks: the body's Markdown has none. */
export const withoutAnchors = (text: string): string => (text.includes("<!--") ? text.replace(anchors, "") : text);
