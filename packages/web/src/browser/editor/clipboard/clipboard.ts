import { defined } from "@svc/document/defined";
import type { Node as Json } from "@svc/document/types";
import { type Editor, Extension } from "@tiptap/core";
import { Fragment, type Schema, Slice } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { api } from "../../islands/common/api.ts";
import { loadIsland } from "../lazy.ts";
import { wholeOf } from "../part/whole-document.ts";
import { cleanHtml } from "./clean-html.ts";
import { ownAddress } from "./own-address.ts";
import { pasteCells } from "./paste-cells.ts";

type Markdown = Awaited<ReturnType<typeof loadIsland<"markdown">>>;
let markdown: Markdown | undefined;

/** Loads Markdown; until then, text is pasted and copied as plain text. */
export async function loadMarkdown(): Promise<void> {
  markdown = await loadIsland("markdown");
}

/** Parsed Markdown for insertion; undefined if it is only plain text. */
function markdownSlice(schema: Schema, text: string): Slice | undefined {
  const nodes = markdown?.parseMarkdown(text) ?? [];
  const isText = ({ type, marks }: Json) => type === "text" && !marks;
  const isPlain = nodes.every(({ type, content = [] }) => type === "paragraph" && content.every(isText));
  if (isPlain) return undefined;
  try {
    return Slice.maxOpen(Fragment.from(nodes.map((node) => schema.nodeFromJSON(node))));
  } catch {
    return undefined;
  }
}

/** An address alone is a link to it, whatever signs are in it. */
function addressSlice(schema: Schema, text: string): Slice | undefined {
  const href = text.trim();
  if (!/^https?:\/\/[^\s<>"]+$/.test(href)) return undefined;
  const link = schema.text(href, [schema.mark("link", { href })]);
  return new Slice(Fragment.from(schema.node("paragraph", null, link)), 1, 1);
}

/** Lines of cells between tabs, as a spreadsheet copies them. */
function tableSlice(schema: Schema, text: string): Slice | undefined {
  const rows = text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map((line) => line.split("\t"));
  const columns = rows[0]?.length ?? 0;
  if (rows.length < 2 || columns < 2 || rows.some((row) => row.length !== columns)) return undefined;
  const { table, tableRow, tableCell, paragraph } = schema.nodes;
  const cells = (row: readonly string[]) =>
    row.map((cell) =>
      defined(tableCell).create(null, defined(paragraph).create(null, cell === "" ? null : schema.text(cell))),
    );
  return new Slice(
    Fragment.from(
      defined(table).create(
        null,
        rows.map((row) => defined(tableRow).create(null, cells(row))),
      ),
    ),
    0,
    0,
  );
}

/** The formatted content of pasted text, if any. */
const textSlice = (schema: Schema, text: string): Slice | undefined =>
  addressSlice(schema, text) ?? tableSlice(schema, text) ?? markdownSlice(schema, text);

/** The address of a page becomes a link with its title, or links what is selected. */
function pasteAddress(editor: Editor, text: string): boolean {
  const own = ownAddress(text.trim());
  const { selection } = editor.state;
  if (!own || selection.$from.parent.type.spec.code) return false;
  if (!selection.empty) return editor.chain().focus().setLink({ href: own.href }).run();
  const put = (text: string, title?: string) => {
    wholeOf(editor)?.returnToCaret();
    const marks = [{ type: "link", attrs: { href: own.href, title } }];
    editor.chain().focus().insertContent({ type: "text", text, marks }).run();
  };
  api.get("/documents/{id}", { path: { id: own.id } }).then(
    ({ data }) => put(data.title, data.title),
    () => put(text.trim()),
  );
  return true;
}

/** Copied text as Markdown: a part of a line alone, blocks with their signs. */
function sliceMarkdown({ content }: Slice): string {
  const nodes: Json[] = content.toJSON() ?? [];
  const { firstChild } = content;
  // Cells that are selected come as rows without their table.
  const around = firstChild?.isInline ? "paragraph" : firstChild?.type.name === "tableRow" ? "table" : undefined;
  const blocks: readonly Json[] = around ? [{ type: around, content: nodes }] : nodes;
  return markdown?.serialiseBody(blocks).text.trimEnd() ?? content.textBetween(0, content.size, "\n\n");
}

export const Clipboard = Extension.create({
  name: "markdownClipboard",
  priority: 1000,
  addProseMirrorPlugins() {
    const { editor } = this;
    const { schema } = editor;
    return [
      new Plugin({
        props: {
          transformPastedHTML: cleanHtml,
          clipboardTextParser: (text, _context, isPlain) =>
            (isPlain ? null : (textSlice(schema, text) ?? null)) as Slice,
          handlePaste: (view, event, slice) =>
            pasteAddress(editor, event.clipboardData?.getData("text/plain") ?? "") || pasteCells(view, slice),
          clipboardTextSerializer: sliceMarkdown,
        },
      }),
    ];
  },
});
