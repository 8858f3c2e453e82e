import type { Node as Json } from "@svc/document/types";
import { Extension } from "@tiptap/core";
import { Fragment, type Schema, Slice } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";

/** Elements whose content is no text of the page that was copied. */
const unwanted =
  "script, style, template, iframe, object, embed, form, input, button, select, textarea, link, meta, title";
const safeHref = /^(https?:|mailto:|tel:|svc:|\/|#)/i;

/** What other programs put on the clipboard, without what runs, hides or comes from elsewhere by itself. */
export function cleanHtml(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const node of page.querySelectorAll(unwanted)) node.remove();
  // Google Docs puts everything into one bold element that is not bold.
  for (const node of page.querySelectorAll("b[style*='font-weight:normal'], b[style*='font-weight: normal']"))
    node.replaceWith(...node.childNodes);
  for (const node of page.body.querySelectorAll("*")) {
    for (const { name } of [...node.attributes]) if (name.startsWith("on")) node.removeAttribute(name);
    if (/display:\s*none|mso-hide/i.test(node.getAttribute("style") ?? "")) node.remove();
  }
  for (const link of page.querySelectorAll("a[href]"))
    if (!safeHref.test(link.getAttribute("href")?.trim() ?? "")) link.removeAttribute("href");
  for (const image of page.querySelectorAll("img"))
    if (!/^https?:/i.test(image.getAttribute("src") ?? "") && !image.hasAttribute("data-attachment-id")) image.remove();
  return page.body.innerHTML;
}

type Markdown = typeof import("../islands/markdown.ts");
let markdown: Markdown | undefined;

/** Until this is done, text is pasted and copied as plain text. */
export async function loadMarkdown(address: string): Promise<void> {
  markdown = (await import(address)) as Markdown;
}

/** Markdown as it can be put into the text; undefined where it says no more than its letters. */
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

/** Copied text as Markdown: a part of a line alone, blocks with their signs. */
function sliceMarkdown({ content }: Slice): string {
  const nodes = (content.toJSON() ?? []) as Json[];
  const isLine = content.firstChild?.isInline === true;
  const blocks: readonly Json[] = isLine ? [{ type: "paragraph", content: nodes }] : nodes;
  return markdown?.serialiseBody(blocks).text.trimEnd() ?? content.textBetween(0, content.size, "\n\n");
}

export const Clipboard = Extension.create({
  name: "markdownClipboard",
  priority: 1000,
  addProseMirrorPlugins() {
    const { schema } = this.editor;
    return [
      new Plugin({
        props: {
          transformPastedHTML: cleanHtml,
          clipboardTextParser: (text, _context, isPlain) =>
            (isPlain ? null : (markdownSlice(schema, text) ?? null)) as Slice,
          clipboardTextSerializer: sliceMarkdown,
        },
      }),
    ];
  },
});
