import { defined } from "@svc/document/defined";
import { WIKI } from "@svc/document/markdown/rules/wiki-link";
import { mapShared, withParts } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import type { AttachmentRow } from "../../../db/schema/tables/documents.ts";

type Picture = Pick<AttachmentRow, "id" | "file_name">;

const keyOf = (name: string): string => name.trim().normalize("NFC").toLowerCase();

/** The name of the file in `folder/picture.png#icon`. */
const fileOf = (target: string): string => defined(target.split("#")[0]).split("/").at(-1)!;

/** Replaces `![[picture.png]]` with the document's attachment of that name. */
export function showNamed(blocks: readonly Node[], pictures: readonly Picture[]): readonly Node[] {
  const byName = new Map(pictures.map((row) => [keyOf(row.file_name), row]));
  const show = (node: Node): Node => {
    const content = node.content && mapShared(node.content, show);
    return withParts(node, attrsOf(node, byName), node.marks, content);
  };
  return byName.size === 0 ? blocks : mapShared(blocks, show);
}

function attrsOf({ type, attrs }: Node, byName: ReadonlyMap<string, Picture>): Node["attrs"] {
  const src = attrs?.src;
  if ((type !== "image" && type !== "inlineImage") || typeof src !== "string" || !src.startsWith(WIKI)) return attrs;
  const wiki = src.slice(WIKI.length);
  const row = byName.get(keyOf(fileOf(wiki)));
  return row ? { ...attrs, wiki, attachmentId: row.id, src: `/api/v1/attachments/${row.id}` } : attrs;
}
