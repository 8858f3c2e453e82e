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

/** Lists of tasks as Git hosts and the service's HTML have them, without a type of Tiptap's. */
const boxes = (tag: "ul" | "li") =>
  (tag === "ul" ? ["contains-task-list", "task-list"] : ["task-list-item", "task-item"]).map((name) => ({
    tag: `${tag}.${name}`,
    priority: PRIORITY,
  }));

/** Nodes with behaviour of their own in Tiptap; all others of the schema are made from it. */
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

/** Those that come with Tiptap's starter kit. */
const inStarterKit = new Set([
  ...["paragraph", "heading", "bulletList", "orderedList", "blockquote", "codeBlock", "horizontalRule", "hardBreak"],
]);

/**
 * The document model as Tiptap extensions: with them an editor opens every body and saves it without a change. Ids of
 * blocks stay on their nodes. History, menus and collaboration are for the editor to add.
 */
export function documentKit(): Extensions {
  const others = Object.keys(nodeTypes).filter((type) => !inStarterKit.has(type));
  return [
    // A body may be empty, code may be bold, and links are those of the body, whatever their scheme.
    Document.extend({ content: "block*" }),
    Code.extend({ excludes: "" }),
    StarterKit.configure({
      ...{ document: false, code: false, listItem: false, trailingNode: false, undoRedo: false },
      codeBlock: { enableTabIndentation: true, tabSize: 2 },
      // Links to pages and of other programs stay what they are when they are copied; a click puts the caret into one;
      // `[words](address)` works while one types, as the other signs of Markdown do.
      link: {
        isAllowedUri: (url) => !runsSomething(url),
        openOnClick: false,
        markdownLinks: true,
        // As in Markdown: README.md and build.sh are files, whatever countries have these ends.
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
