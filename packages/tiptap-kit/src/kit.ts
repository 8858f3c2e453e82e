import { runsSomething } from "@svc/document/html/url";
import { nodeTypes } from "@svc/document/schema/nodes";
import type { Extensions } from "@tiptap/core";
import { Code } from "@tiptap/extension-code";
import { Details, DetailsContent, DetailsSummary } from "@tiptap/extension-details";
import { Document } from "@tiptap/extension-document";
import { Highlight } from "@tiptap/extension-highlight";
import { Image } from "@tiptap/extension-image";
import { ListItem, TaskItem, TaskList } from "@tiptap/extension-list";
import { Subscript } from "@tiptap/extension-subscript";
import { Superscript } from "@tiptap/extension-superscript";
import { Table, TableCell, TableHeader, TableRow } from "@tiptap/extension-table";
import { TextStyle } from "@tiptap/extension-text-style";
import { StarterKit } from "@tiptap/starter-kit";
import { cellAlign, colour, SchemaAttributes, taskChecked } from "./attributes.ts";
import { Kbd } from "./kbd.ts";
import { contentOf, plainNode } from "./nodes.ts";

function withCellAlign(this: { readonly parent?: (() => object) | null | undefined }) {
  return { ...this.parent?.(), align: cellAlign };
}

const PRIORITY = 51;
const tagged = (tag: string, type: string) => [{ tag: `${tag}[data-type="${type}"]`, priority: PRIORITY }];

/** Task lists in the HTML of Git hosts and of the service, which have no Tiptap type. */
const boxes = (tag: "ul" | "li") =>
  (tag === "ul" ? ["contains-task-list", "task-list"] : ["task-list-item", "task-item"]).map((name) => ({
    tag: `${tag}.${name}`,
    priority: PRIORITY,
  }));

/** Nodes with their own behaviour in Tiptap; all others are made from the schema. */
const known: Readonly<Record<string, Extensions[number]>> = {
  listItem: ListItem.extend({ content: contentOf(nodeTypes.listItem!) }),
  taskList: TaskList.extend({ parseHTML: () => [...tagged("ul", "taskList"), ...boxes("ul")] }),
  taskItem: TaskItem.extend({
    content: contentOf(nodeTypes.taskItem!),
    parseHTML: () => [...tagged("li", "taskItem"), ...boxes("li")],
    addAttributes: () => ({ checked: taskChecked }),
  }).configure({ nested: true }),
  image: Image,
  table: Table,
  tableRow: TableRow,
  tableHeader: TableHeader.extend({ addAttributes: withCellAlign }),
  tableCell: TableCell.extend({ addAttributes: withCellAlign }),
  details: Details.extend({ content: contentOf(nodeTypes.details!) }),
  detailsSummary: DetailsSummary.extend({ content: contentOf(nodeTypes.detailsSummary!) }),
  detailsContent: DetailsContent,
};

/** The node types of Tiptap's starter kit. */
const inStarterKit = new Set([
  ...["paragraph", "heading", "bulletList", "orderedList", "blockquote", "codeBlock", "horizontalRule", "hardBreak"],
]);

/**
 * The document model as Tiptap extensions: an editor with them opens every body and saves it without a change. Block
 * ids stay on their nodes. Editors add history, menus and collaboration themselves.
 */
export function documentKit(): Extensions {
  const others = Object.keys(nodeTypes).filter((type) => !inStarterKit.has(type));
  return [
    // A body may be empty, code may be bold, and links keep whatever scheme the body has.
    Document.extend({ content: "block*" }),
    Code.extend({ excludes: "" }),
    StarterKit.configure({
      ...{ document: false, code: false, listItem: false, trailingNode: false, undoRedo: false },
      codeBlock: { enableTabIndentation: true, tabSize: 2 },
      // Links to pages and from other programs survive copying; a click puts the caret into a link; `[words](address)`
      // works while typing, like other Markdown syntax.
      link: {
        isAllowedUri: (url) => !runsSomething(url),
        openOnClick: false,
        markdownLinks: true,
        // As in Markdown, README.md and build.sh are file names, although .md and .sh are country domains.
        shouldAutoLink: (url) => /^(?:https?:\/\/|www\.|mailto:)|@/i.test(url),
      },
    }),
    ...others.map((type) => known[type] ?? plainNode(type)),
    Highlight.extend({ addAttributes: () => ({ color: colour("color", "background-color") }) }),
    TextStyle,
    Subscript,
    Superscript,
    Kbd,
    SchemaAttributes,
  ];
}
