import { hash } from "node:crypto";
import { childBlocks } from "@svc/document/blocks/find";
import { canonicalJson } from "@svc/document/canonical";
import { idOf } from "@svc/document/schema/node";
import { formulaCells } from "@svc/document/sheet/formula-cells";
import type { Node } from "@svc/document/types";
import type { StoredBody } from "../../../../bodies/body.ts";
import { WeakCache } from "../../../../cache/weak-cache.ts";
import type { DocumentType } from "../../../../db/schema/tables/documents.ts";

/** A block with one line of text: the unit of translation. */
export interface TextBlock {
  readonly id: string;
  readonly node: Node;
  /** Its type and those of its ancestors; only blocks of the same kind can match. */
  readonly kind: string;
  /** Hash of the line with its marks and inline nodes; null if it is empty. */
  readonly hash: string | null;
  /** Whether it has a letter outside of code. */
  readonly hasWords: boolean;
  /** Whether it is in a cell that a spreadsheet computes. */
  readonly isFormula: boolean;
}

/** The parts of a body that its lines depend on. */
type Lines = Pick<StoredBody, "blocks" | "documentType">;

const lineTypes: ReadonlySet<string> = new Set(["paragraph", "heading", "detailsSummary"]);
export const holdsLine = (node: Node): boolean => lineTypes.has(node.type);

const TEXT_BLOCKS = new WeakCache<Node, readonly TextBlock[]>("text_blocks");

/** The text blocks of a top-level block, in order; cached for as long as the block is in memory. */
export const textBlocksIn = (block: Node): readonly TextBlock[] => TEXT_BLOCKS.getOrMake(block, findTextBlocks);

function findTextBlocks(block: Node): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  collect(block, "", false, { blocks, formulas: block.type === "table" ? formulaCells(block) : new Set() });
  return blocks;
}

export const listTextBlocks = (blocks: readonly Node[]): TextBlock[] => blocks.flatMap(textBlocksIn);

/** Whether there is anything to translate. Text that looks like a formula is one only in a spreadsheet. */
export const isTranslated = (block: TextBlock, documentType: DocumentType): boolean =>
  block.hasWords && !(block.isFormula && documentType === "spreadsheet");

/** The source's blocks that become units. */
export const listSourceBlocks = ({ blocks, documentType }: Lines): TextBlock[] =>
  listTextBlocks(blocks).filter((block) => isTranslated(block, documentType));

/** The lines of formulas, which do not become units. */
export const listFormulas = ({ blocks, documentType }: Lines): TextBlock[] =>
  documentType === "spreadsheet" ? listTextBlocks(blocks).filter(({ isFormula }) => isFormula) : [];

interface Found {
  readonly blocks: TextBlock[];
  readonly formulas: ReadonlySet<Node>;
}

function collect(node: Node, above: string, isComputed: boolean, found: Found): void {
  const kind = `${above}/${node.type}${node.type === "heading" ? node.attrs?.level : ""}`;
  const isFormula = isComputed || found.formulas.has(node);
  if (holdsLine(node)) found.blocks.push(textBlock(node, kind, isFormula));
  for (const child of childBlocks(node)) collect(child, kind, isFormula, found);
}

function textBlock(node: Node, kind: string, isFormula: boolean): TextBlock {
  const content = node.content ?? [];
  return { id: idOf(node), node, kind, hash: lineHash(content), hasWords: content.some(hasWords), isFormula };
}

function lineHash(content: readonly Node[]): string | null {
  const isEmpty = content.every((node) => node.type === "text" && (node.text ?? "").trim() === "");
  return isEmpty ? null : hash("sha256", canonicalJson(content), "hex");
}

const hasWords = (node: Node): boolean =>
  node.type === "text" && !(node.marks ?? []).some(({ type }) => type === "code") && /\p{L}/u.test(node.text ?? "");
