import { listHeadings } from "@svc/document/read/headings";
import { excerpt, plainText } from "@svc/document/read/text";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import { readBody } from "../../../bodies/load-body.ts";
import type { Reader } from "../../../db/database.ts";
import type { DocumentTarget, GroupTarget, Target } from "./target.ts";

const MAX_PARAGRAPH = 600;
const MAX_HEADINGS = 60;
/** Limit for a folder or knowledge base. Each document gets a line, so that one call gives an overview. */
const MAX_DOCUMENTS = 500;
const MAX_SENTENCE = 160;

export interface OutlineEntry {
  readonly level: number;
  readonly text: string;
  readonly block_id: string | null;
  readonly document_id: string | null;
}

/** A summary's content, from any generator. */
export interface Digest {
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
  readonly sourceBlockIds: readonly string[];
  readonly sourceDocumentIds: readonly string[];
  readonly covered: number;
  readonly total: number;
}

/**
 * Title, first paragraph and outline; for a folder or knowledge base, a digest of its documents. Deterministic and
 * without a model.
 */
export const digestOf = (db: Reader, target: Target): Promise<Digest> =>
  target.kind === "document" ? Promise.resolve(digestDocument(target)) : digestGroup(db, target);

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();
const isProse = (node: Node): boolean => node.type === "paragraph" && oneLine(plainText(node)) !== "";

/** Escapes characters that have a meaning in Markdown. */
const escaped = (text: string): string => text.replace(/[\\`*_[\]<>#|~$]/g, "\\$&");

function digestDocument({ key, title, body, range: [start, end] }: DocumentTarget): Digest {
  const blocks = body.blocks.slice(start, end);
  const first =
    blocks.find(isProse) ?? blocks.find((block) => block.type !== "heading" && oneLine(plainText(block)) !== "");
  const headings = listHeadings(blocks, start).filter((heading) => !heading.nested && heading.block_id !== key.blockId);
  const shown = headings.slice(0, MAX_HEADINGS);
  const top = Math.min(...shown.map((heading) => heading.level));
  const lines = shown.map((heading) => `${"  ".repeat(heading.level - top)}- ${escaped(heading.text)}`);
  const parts = [
    `**${escaped(title)}**`,
    first && escaped(excerpt(oneLine(plainText(first)), MAX_PARAGRAPH)),
    lines.join("\n"),
  ];
  const sources = [
    ...(key.blockId ? [key.blockId] : []),
    ...(first ? [idOf(first)] : []),
    ...shown.map((h) => h.block_id),
  ];
  return {
    text: blocks.length === 0 ? "" : parts.filter(Boolean).join("\n\n"),
    outline: shown.map(({ level, text, block_id }) => ({ level, text, block_id, document_id: key.targetId })),
    sourceBlockIds: sources,
    sourceDocumentIds: [key.targetId],
    covered: sources.length,
    total: blocks.length,
  };
}

async function digestGroup(db: Reader, { key, title, documents, folderCount }: GroupTarget): Promise<Digest> {
  const shown = documents.slice(0, MAX_DOCUMENTS);
  const lines: string[] = [];
  const blockIds: string[] = [];
  for (const { id, title: name } of shown) {
    const body = await readBody(db, { workspaceId: key.workspaceId, documentId: id });
    const first = body.blocks.find(isProse);
    if (first) blockIds.push(idOf(first));
    const sentence = first ? `: ${escaped(excerpt(oneLine(plainText(first)), MAX_SENTENCE))}` : "";
    lines.push(`- [${escaped(name)}](svc://doc/${id})${sentence}`);
  }
  if (documents.length > shown.length) lines.push(`- and ${documents.length - shown.length} more`);
  const counts = `${counted(documents.length, "document")} in ${counted(folderCount, "folder")}`;
  return {
    text: documents.length === 0 ? "" : [`**${escaped(title)}**: ${counts}.`, lines.join("\n")].join("\n\n"),
    outline: shown.map(({ id, title: text }) => ({ level: 1, text, block_id: null, document_id: id })),
    sourceBlockIds: blockIds,
    sourceDocumentIds: documents.map(({ id }) => id),
    covered: shown.length,
    total: documents.length,
  };
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
